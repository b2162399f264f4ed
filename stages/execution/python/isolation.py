"""A process of its own for one test: own process tree, own mounts, limits, no privileges.

The sandbox around us keeps the machine safe; this keeps one test from the next. Directories that the test may write
to are overlaid, so that what it did is known and gone afterwards.
"""

import ctypes
import functools
import os
import resource
import select
import signal
import sys
import time

LIBC = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock, as other processes in our memory need
WORK = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.c_void_p)
LIBC.clone.argtypes = [WORK, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p]
NEW_NAMESPACES = 0x00020000 | 0x08000000 | 0x10000000 | 0x20000000  # mounts, IPC, user, processes
IN_OUR_MEMORY = 0x00000100 | 0x00004000  # while we wait
# More than we use of the stack where we start a test.
STACK_IN_USE = 512 << 10
SCRATCH = "/run"


def check(result, what):
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def in_namespaces(work):
    """Runs `work` as the first process of namespaces of its own and waits for its end. What it used, as `wait4` tells.

    That process has our memory, not a copy, so that nothing of it is copied and `work` can leave its results there; we
    stand still meanwhile. Descriptors, the working directory and signals are its own. It must not exit by itself.
    """
    flags = NEW_NAMESPACES | IN_OUR_MEMORY | signal.SIGCHLD
    process = check(LIBC.clone(WORK(lambda _: work() or 0), free_stack(), flags, None), "clone")
    return os.wait4(process, 0)[2]


@functools.lru_cache(maxsize=None)
def free_stack():
    """A place on the main thread's stack below all that is in use. It must be that stack: interpreters look."""
    with open("/proc/self/maps") as maps:
        end = next(line.split()[0].partition("-")[2] for line in maps if line.endswith("[stack]\n"))
    return int(end, 16) - STACK_IN_USE


def map_user(user, group):
    """Keeps the user's number in the new user namespace."""
    for path, text in (
        ("/proc/self/setgroups", "deny"),
        ("/proc/self/uid_map", f"{user} {user} 1"),
        ("/proc/self/gid_map", f"{group} {group} 1"),
    ):
        with open(path, "w") as file:
            file.write(text)


def mount(source, target, kind, options):
    check(
        LIBC.mount(source.encode(), target.encode(), kind.encode(), 0, options.encode()),
        f"mounting {kind} on {target}",
    )


def overlay(directories, megabytes):
    """Makes these directories writable for us alone. Returns where what is written to each goes."""
    mount("tmpfs", SCRATCH, "tmpfs", f"size={megabytes}m,mode=755")
    upper = {}
    for number, directory in enumerate(directories):
        above, work = f"{SCRATCH}/upper{number}", f"{SCRATCH}/work{number}"
        os.mkdir(above)
        os.mkdir(work)
        os.chmod(above, os.stat(directory).st_mode & 0o7777)
        options = f"lowerdir={directory},upperdir={above},workdir={work},userxattr"
        mount("overlay", directory, "overlay", options)
        upper[directory] = above
    return upper


def written(above, limit=200):
    """Paths below an upper directory that were written, changed or removed; `None` at the end where there are more."""
    paths = []
    for folder, folders, files in os.walk(above):
        folders.sort()
        relative = os.path.relpath(folder, above)
        for name in sorted(files):
            if len(paths) == limit:
                return paths + [None]
            paths.append(os.path.normpath(os.path.join(relative, name)))
    return paths


def limit_process(limits):
    """Limits that hold for each process of the test."""

    def bound(what, value):
        hard = resource.getrlimit(what)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (value, value))

    bound(resource.RLIMIT_CORE, 0)
    bound(resource.RLIMIT_FSIZE, limits["file_bytes"])
    bound(resource.RLIMIT_AS, limits["memory_bytes"])
    bound(resource.RLIMIT_NPROC, limits["processes"])
    bound(resource.RLIMIT_NOFILE, 1024)


def drop_privileges():
    """Gives up what the new user namespace gave, for this process and all that it starts."""
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)
    check(LIBC.capset(header, (ctypes.c_uint32 * 6)()), "capset")
    check(LIBC.prctl(38, 1, 0, 0, 0), "prctl")  # no new privileges


def wait_for(child, seconds, hear=None, pipes=()):
    """Waits for a child, reaping others and hearing what comes through pipes on the way.

    Its wait status, or None where it took longer.
    """
    deadline = time.monotonic() + seconds
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    # A set of signals as the kernel has it, in the room that the C library's takes.
    children = (ctypes.c_uint64 * 16)(1 << signal.SIGCHLD - 1)
    ended = check(LIBC.signalfd(-1, children, os.O_NONBLOCK | os.O_CLOEXEC), "signalfd")
    poll = select.poll()
    for pipe in (ended, *pipes):
        poll.register(pipe, select.POLLIN)
    try:
        while True:
            while True:
                try:
                    number, status = os.waitpid(-1, os.WNOHANG)
                except ChildProcessError:
                    return None
                if number == child:
                    return status
                if number == 0:
                    break
            left = deadline - time.monotonic()
            if left <= 0:
                return None
            for pipe, _ in poll.poll(1000 * min(left, 3600.0)):
                if pipe == ended:
                    os.read(ended, 1 << 12)
                elif not hear(pipe):
                    poll.unregister(pipe)
    finally:
        os.close(ended)


def killed_for_memory():
    """How many processes of our control group were killed so far because its memory was used up.

    0 where the sandbox does not show it; then it is known outside.
    """
    for path in ("/sys/fs/cgroup/memory/memory.oom_control", "/sys/fs/cgroup/memory.events"):
        try:
            with open(path) as file:
                return next((int(line.split()[1]) for line in file if line.startswith("oom_kill ")), 0)
        except OSError:
            pass
    return 0


def contain(directory, megabytes, command):
    """Runs a command with an overlay over a directory, so that nothing of what it writes there stays. Its exit code."""
    user, group = os.getuid(), os.getgid()
    found = [125]

    def work():
        try:
            map_user(user, group)
            overlay([directory], megabytes)
            os.chdir(directory)
            child = os.fork()
            if child == 0:
                try:
                    drop_privileges()
                    os.execvp(command[0], command)
                finally:
                    os._exit(125)
            status = wait_for(child, float("inf"))
            found[0] = os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)

    in_namespaces(work)
    return found[0]


if __name__ == "__main__":
    sys.exit(contain(sys.argv[1], int(sys.argv[2]), sys.argv[3:]))
