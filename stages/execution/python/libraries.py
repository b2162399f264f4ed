"""Brings the libraries that Debian builds a project against, without installing anything on the machine.

`libraries.py MACHINE FOLDER NAME...` takes the first of the names that is a source package of Debian, downloads what of
its build dependencies are libraries, with what these need and the machine lacks, and unpacks them into FOLDER. MACHINE
holds dpkg's `status` and in `sources/` the lists that say where the machine gets packages from. apt checks signatures;
unpacking runs nothing of a package. Prints the packages' files, a line each.
"""

import os
import re
import subprocess
import sys

RELEASE = "/usr/lib/os-release"
WORK = "/tmp/apt"
# Interpreters come from elsewhere.
LIBRARY = re.compile(r"(?!python|libpython).+-dev(:any)?$|pkg-config$|pkgconf$")


def sources(folder):
    """Where the machine gets its packages from, and from there the sources of packages, too."""
    with open(RELEASE, encoding="utf-8") as file:
        system = dict(re.findall(r'^(\w+)="?([^"\n]*)', file.read(), re.MULTILINE)).get("ID")
    if system != "debian":
        sys.exit(f"only Debian's packages are known, and this is {system}")
    for place, _, files in os.walk(folder):
        for name in files:
            with open(os.path.join(place, name), encoding="utf-8") as file:
                text = file.read()
            if name.endswith(".sources"):
                yield name, re.sub(r"(?m)^Types:.*", "Types: deb deb-src", text)
            elif name.endswith(".list"):
                yield name, text + "\n" + re.sub(r"(?m)^deb\b(?!-)", "deb-src", text)


def prepare(machine):
    """A configuration of apt's that touches nothing of the machine's."""
    for folder in ("lists/partial", "archives/partial", "etc/apt.conf.d", "etc/preferences.d", "etc/sources.list.d"):
        os.makedirs(f"{WORK}/{folder}")
    for name, text in sources(f"{machine}/sources"):
        with open(f"{WORK}/etc/sources.list.d/{name}", "w", encoding="utf-8") as file:
            file.write(text)
    settings = {
        "Dir::Etc": f"{WORK}/etc",
        "Dir::State": WORK,
        "Dir::State::lists": f"{WORK}/lists",
        "Dir::State::status": f"{machine}/status",
        "Dir::Cache": WORK,
        "Dir::Cache::archives": f"{WORK}/archives",
        "APT::Sandbox::User": "",
        "APT::Install-Recommends": "false",
        "Acquire::Languages": "none",
        "Acquire::Retries": "3",
        "Debug::NoLocking": "true",
    }
    with open(f"{WORK}/apt.conf", "w", encoding="utf-8") as file:
        file.writelines(f'{name} "{value}";\n' for name, value in settings.items())
    os.environ["APT_CONFIG"] = f"{WORK}/apt.conf"


def call(*command):
    """What it prints; its errors are ours."""
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout


def build_dependencies(record):
    """Libraries among the build dependencies of a source package, the first of each choice."""
    found = []
    for field in re.findall(r"^Build-Depends(?:-Arch)?:(.*(?:\n .*)*)", record, re.MULTILINE):
        for choice in field.split(","):
            words = choice.split("|")[0].split()
            # Profiles in <> and architectures in [!...] are exceptions.
            conditions = " ".join(words[1:])
            if words and LIBRARY.match(words[0]) and "<" not in re.sub(r"\([^)]*\)", "", conditions):
                found.append(words[0].split(":")[0])
    return sorted(set(found))


def libraries(names):
    for name in names:
        record = subprocess.run(["apt-cache", "showsrc", "--only-source", name], stdout=subprocess.PIPE, text=True).stdout
        if record:
            return build_dependencies(record.split("\n\n")[0])
    sys.exit(f"Debian has no source package {' or '.join(names)}")


def unpack(folder):
    """All that was downloaded; the paths that its pkg-config files name are those of the folder."""
    packages = sorted(name for name in os.listdir(f"{WORK}/archives") if name.endswith(".deb"))
    for name in packages:
        call("dpkg-deb", "--extract", f"{WORK}/archives/{name}", folder)
    for place, _, files in os.walk(folder):
        for name in files:
            path = os.path.join(place, name)
            if name.endswith(".pc") and not os.path.islink(path):
                with open(path, encoding="utf-8", errors="surrogateescape") as file:
                    text = file.read()
                with open(path, "w", encoding="utf-8", errors="surrogateescape") as file:
                    file.write(re.sub(r"(?m)^(\w+)=/usr", rf"\1={folder}/usr", text))
    return packages


def main(machine, folder, *names):
    prepare(machine)
    # Others' archives may be out of reach; whether Debian's was is seen by what is known then.
    subprocess.run(["apt-get", "--quiet=2", "update"], stdout=subprocess.DEVNULL)
    wanted = libraries(names)
    if wanted:
        call("apt-get", "--quiet=2", "--yes", "--download-only", "install", *wanted)
    print(*unpack(folder), sep="\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
