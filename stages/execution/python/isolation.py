"""A process of its own for one test: own process tree, own mounts, limits, no privileges.

The sandbox around us keeps the machine safe; this keeps one test from the next. Directories that the test may write
to are overlaid, so that what it did is known and gone afterwards.
"""

import ctypes
import os
import resource
import signal
import sys
import time

LIBC = ctypes.PyDLL(None, use_errno=True)  # keeps the interpreter's lock, as forking needs
CLONE = 56 if os.uname().machine == "x86_64" else 220
NEW_NAMESPACES = 0x00020000 | 0x08000000 | 0x10000000 | 0x20000000  # mounts, IPC, user, processes
SCRATCH = "/run"


def check(result, what):
    if result == -1:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def fork_into_namespaces():
    """Forks a child that is the first process of its own namespaces; 0 in the child, its number in the parent.

    Libraries with threads of their own have handlers that run before and after `fork`, without which their next fork
    waits for threads that are not there. A bare system call runs none, so with threads it takes two forks.
    """
    if len(os.listdir("/proc/self/task")) > 1:
        return fork_twice()
    ctypes.pythonapi.PyOS_BeforeFork()
    child = LIBC.syscall(CLONE, NEW_NAMESPACES | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0:
        ctypes.pythonapi.PyOS_AfterFork_Child()
    else:
        ctypes.pythonapi.PyOS_AfterFork_Parent()
    return check(child, "clone")


def fork_twice():
    """The child's number is that of a process that ends with it and dies for it."""
    child = os.fork()
    if child:
        return child
    try:
        check(LIBC.unshare(NEW_NAMESPACES), "unshare")
        first = os.fork()
        if first:
            os._exit(os.waitstatus_to_exitcode(os.waitpid(first, 0)[1]) & 0xFF)
        check(LIBC.prctl(1, signal.SIGKILL, 0, 0, 0), "prctl")  # when its parent dies
    except BaseException as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        os._exit(125)
    return 0


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


def wait_for(child, seconds):
    """Waits for a child, reaping others on the way. Its wait status, or None where it took longer."""
    deadline = time.monotonic() + seconds
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
    while True:
        while True:
            try:
                ended, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return None
            if ended == child:
                return status
            if ended == 0:
                break
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        signal.sigtimedwait({signal.SIGCHLD}, min(left, 1.0))


def contain(directory, megabytes, command):
    """Runs a command with an overlay over a directory, so that nothing of what it writes there stays."""
    user, group = os.getuid(), os.getgid()
    child = fork_into_namespaces()
    if child == 0:
        try:
            map_user(user, group)
            overlay([directory], megabytes)
            os.chdir(directory)
            inner = os.fork()
            if inner == 0:
                drop_privileges()
                os.execvp(command[0], command)
            status = wait_for(inner, float("inf"))
            os._exit(os.waitstatus_to_exitcode(status) & 0xFF)
        except BaseException as error:
            print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        finally:
            os._exit(125)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


if __name__ == "__main__":
    sys.exit(contain(sys.argv[1], int(sys.argv[2]), sys.argv[3:]) & 0xFF)
