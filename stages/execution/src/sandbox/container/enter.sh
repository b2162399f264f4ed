# First thing that runs in a container, as the owner of what is mounted, in a user and mount namespace of its own
# where that owner is the job's user. What the engine mounts besides becomes read-only, since the job owns it too.
# Then all privileges go, and the job starts with its own variables and no other.
while read -r _ place kind options _; do
    case "$kind $place $options" in
        "tmpfs /dev rw"* | "mqueue /dev/"*" rw"* | "tmpfs /proc/"*" rw"* | "tmpfs /sys/"*" rw"*)
            [ "$place" = /dev/shm ] || mount -o remount,bind,ro "$place" || exit 125 ;;
    esac
done </proc/self/mounts
exec setpriv --inh-caps=-all --ambient-caps=-all env -i "$@"
