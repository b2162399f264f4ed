# Does what each test needs, and says which limits the job sees itself under.
set -e
: </dev/null >/dev/null
say() {
    name=$1; shift
    for file; do
        if [ -r "$file" ]; then echo "$name $(cat "$file")"; return; fi
    done
    echo "$name max"
}
say memory /sys/fs/cgroup/memory/memory.limit_in_bytes /sys/fs/cgroup/memory.max
say processes /sys/fs/cgroup/pids/pids.max /sys/fs/cgroup/pids.max
mkdir /tmp/trial
unshare --user --map-current-user --keep-caps --mount --pid --ipc --fork sh -c '
    mount -t tmpfs -o size=1m,mode=755 tmpfs /run && mkdir /run/upper /run/work &&
    mount -t overlay -o lowerdir=/tmp/trial,upperdir=/run/upper,workdir=/run/work,userxattr overlay /tmp/trial'
