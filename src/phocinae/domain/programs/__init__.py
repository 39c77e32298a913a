"""What is known of programs: one module per family, loaded when one of its programs occurs.

`FAMILIES` lists the programs of each family, so that nothing is imported to learn that a
program is unknown.  Each family has a mapping ``PROGRAMS`` from these names to descriptions.
"""

from __future__ import annotations

from importlib import import_module

from ..knowledge import Program
from ..shell import Dialect

FAMILIES: dict[str, str] = {
    "shells": "sh bash zsh dash ksh mksh ash rbash fish csh tcsh elvish nu xonsh yash eval source . command builtin exec time coproc { ! then do else",
    "printing": "echo printf",
    "builtins": (
        "cd chdir pushd popd dirs true false : exit return break continue times caller help test [ "
        "export declare typeset readonly local unset set shift alias unalias trap shopt setopt unsetopt emulate "
        "enable disable hash umask ulimit type let read mapfile readarray wait jobs disown getopts history fc bind "
        "complete compgen sleep clear tput expr getopt"
    ),
    "wrappers": (
        "sudo doas pkexec gosu su-exec su runuser env nice ionice nohup timeout gtimeout stdbuf unbuffer setsid "
        "chrt taskset numactl chroot unshare nsenter setpriv fakeroot strace ltrace script watch flock xargs "
        "parallel busybox toybox caffeinate xvfb-run dbus-run-session systemd-run at batch proxychains "
        "proxychains4 torsocks entr"
    ),
    "launchers": (
        "setarch linux32 linux64 i386 i686 x86_64 uname26 prlimit runcon sg newgrp chronic eatmydata nocache "
        "catchsegv dumb-init tini catatonit ssh-agent noglob nocorrect - rlwrap tsocks proxytunnel isolate setlock "
        "softlimit firejail bwrap cpulimit sshpass direnv dotenv hyperfine valgrind perf gdb lldb "
        "start-stop-daemon tmux screen s6-setlock s6-setuidgid setuidgid envuidgid s6-envuidgid envdir s6-envdir chpst run0 "
        "systemd-inhibit daemonize cgexec aa-exec trickle faketime arch distrobox distrobox-enter toolbox flatpak-spawn "
        "schroot systemd-nspawn xterm alacritty konsole x-terminal-emulator gnome-terminal"
    ),
    "carriers": (
        "nodemon watchexec chokidar chokidar-cli onchange concurrently conc cross-env cross-env-shell shx rimraf pm2 nix-shell"
    ),
    "own": "phocinae phocinae-mcp",
    "deleting": (
        "rm grm srm wipe rmdir unlink trash trash-put gio shred dd dcfldd dc3dd mkfs mke2fs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs "
        "mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkdosfs mkntfs mkswap newfs newfs_msdos "
        "wipefs fdisk sfdisk cfdisk gdisk sgdisk parted cryptsetup diskutil blkdiscard badblocks hdparm nvme"
    ),
    "storage": (
        "zpool zfs lvm pvcreate pvremove vgremove lvremove mdadm bcachefs dmsetup xfs_repair sg_format sg_sanitize btrfs"
    ),
    "system": (
        "chmod chown chgrp chattr setfacl setcap kill pkill killall killall5 skill xkill renice useradd adduser addgroup usermod "
        "userdel deluser groupadd groupdel gpasswd passwd chpasswd visudo chsh umount insmod rmmod modprobe depmod "
        "update-grub grub-install efibootmgr dpkg-reconfigure"
    ),
    "services": (
        "shutdown reboot poweroff halt kexec dbus-send busctl gdbus qdbus init telinit systemctl service launchctl initctl rc-service rc-status "
        "update-rc.d crontab hostnamectl timedatectl localectl loginctl networkctl resolvectl machinectl coredumpctl "
        "bootctl udevadm systemd-analyze systemd-cgls systemd-path update-alternatives ldconfig swapon swapoff losetup"
    ),
    "protections": (
        "ufw iptables ip6tables iptables-legacy nft firewall-cmd pfctl ebtables setenforce getenforce sestatus sysctl "
        "auditctl aa-disable aa-complain aa-teardown aa-status apparmor_status csrutil spctl"
    ),
    "network": (
        "curl wget wget2 nc ncat netcat nc.openbsd nc.traditional socat ssh scp sftp rsync telnet aria2c fetch lwp-request GET HEAD POST lynx w3m links axel "
        "dig host nslookup whois ping ping6 traceroute tracepath mtr nmap arp-scan"
    ),
    "ssh_keys": "ssh-keygen ssh-add ssh-copy-id",
    "uploads": (
        "mail mailx mutt sendmail msmtp swaks ftp tftp lftp ncftpput http https xh xhs httpie wormhole magic-wormhole ffsend "
        "croc transfer pastebinit wgetpaste gist websocat grpcurl rclone gsutil s3cmd mc"
    ),
    "editors": (
        "vi vim nvim ex view gvim vimdiff rvim emacs emacsclient nano pico micro code subl gedit kate ed red hx joe"
    ),
    "powershell": "powershell powershell.exe pwsh pwsh.exe pwsh-preview powershell_ise powershell_ise.exe",
    "windows_files": (
        "del erase rd deltree deltree.exe copy xcopy xcopy.exe move ren robocopy robocopy.exe attrib attrib.exe "
        "takeown takeown.exe icacls icacls.exe cacls cacls.exe xcacls mklink format format.com cipher cipher.exe "
        "compact compact.exe expand.exe"
    ),
    "windows_tools": (
        "more.com find.exe findstr findstr.exe sort.exe fc.exe comp comp.exe tree.com where.exe whoami.exe "
        "hostname.exe timeout.exe netstat.exe"
    ),
    "windows_system": (
        "reg reg.exe regedit regedit.exe regini.exe sc sc.exe net net.exe net1 net1.exe schtasks schtasks.exe "
        "netsh netsh.exe tasklist tasklist.exe taskkill taskkill.exe shutdown.exe systeminfo systeminfo.exe "
        "driverquery driverquery.exe getmac getmac.exe ipconfig ipconfig.exe quser qwinsta query gpresult "
        "gpresult.exe setx setx.exe gpupdate gpupdate.exe w32tm w32tm.exe powercfg powercfg.exe logoff logoff.exe "
        "tskill tskill.exe cmdkey cmdkey.exe"
    ),
    "windows_machine": (
        "wmic wmic.exe vssadmin vssadmin.exe wbadmin wbadmin.exe bcdedit bcdedit.exe diskpart diskpart.exe "
        "diskshadow diskshadow.exe wevtutil wevtutil.exe fsutil fsutil.exe auditpol auditpol.exe dism dism.exe "
        "chkdsk chkdsk.exe sfc sfc.exe defrag defrag.exe mountvol mountvol.exe subst label convert.exe manage-bde "
        "manage-bde.exe reagentc reagentc.exe mpcmdrun mpcmdrun.exe"
    ),
    "windows_launch": (
        "cmd cmd.exe start start.exe forfiles forfiles.exe mshta mshta.exe rundll32 rundll32.exe regsvr32 "
        "regsvr32.exe wscript wscript.exe cscript cscript.exe installutil installutil.exe msbuild.exe regasm "
        "regasm.exe hh hh.exe msiexec msiexec.exe certutil certutil.exe bitsadmin bitsadmin.exe wsl wsl.exe runas "
        "runas.exe"
    ),
    "git": "git",
    "listing": (
        "ls dir vdir gls eza exa lsd tree du gdu df dust duf stat gstat file readlink greadlink realpath "
        "grealpath basename dirname pwd which whereis locate plocate mlocate slocate"
    ),
    "reading": (
        "cat gcat tac gtac nl gnl head ghead tail gtail less zless bzless xzless zstdless more zmore bzmore "
        "xzmore bat batcat strings gstrings od god xxd hexdump hd zcat gzcat bzcat bz2cat xzcat lzcat zstdcat "
        "lz4cat"
    ),
    "text_filters": (
        "sort gsort uniq guniq cut gcut tr gtr paste join comm column fold gfold fmt expand unexpand rev shuf "
        "gshuf datamash gdatamash wc gwc tee gtee look seq gseq yes factor gfactor numfmt gnumfmt pr base64 gbase64 base32 basenc "
        "iconv col colrm tsort uudecode rot13"
    ),
    "comparing": (
        "diff gdiff colordiff zdiff bzdiff xzdiff sdiff diff3 cmp gcmp zcmp md5sum sha1sum sha224sum sha256sum "
        "sha384sum sha512sum b2sum cksum sum shasum md5 sha1 sha256 sha512 gmd5sum gsha256sum xxhsum xxh64sum "
        "crc32 wdiff dwdiff icdiff"
    ),
    "searching": "grep egrep fgrep rgrep ggrep zgrep zegrep zfgrep bzgrep xzgrep zstdgrep rg ag ack ack-grep",
    "finding": "find gfind fd fdfind",
    "sed": "sed gsed",
    "awk": "awk gawk mawk nawk original-awk",
    "forges": "gh glab",
    "node_packages": "npm pnpm yarn yarnpkg npx pnpx bunx bun corepack",
    "python_packages": (
        "pip pip3 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13 pip3.14 uv uvx poetry pipenv pdm hatch rye pipx "
        "conda mamba micromamba twine virtualenv"
    ),
    "testing": (
        "pytest py.test jest vitest mocha ava rspec phpunit pest ctest bats coverage coverage3 tox nox "
        "playwright cypress"
    ),
    "linting": (
        "ruff black isort flake8 pylint mypy dmypy pyright basedpyright ty pyflakes pycodestyle pydocstyle "
        "vulture bandit codespell yamllint radon pre-commit lint-staged ansible-lint sqlfluff shellcheck "
        "shfmt hadolint actionlint"
    ),
    "linting_web": "eslint prettier tsc vue-tsc svelte-check stylelint biome oxlint markdownlint jshint standard",
    "cargo": "cargo rustc rustdoc rustup",
    "golang": "go",
    "build_tools": (
        "make gmake cmake ninja mvn mvnd gradle bazel bazelisk meson just task sbt lein ant scons waf buck "
        "buck2 pants nx turbo lerna rush gulp grunt webpack vite rollup esbuild parcel next nuxt ng tsup swc "
        "babel autoconf automake configure invoke fab earthly dagger skaffold tilt hugo jekyll mkdocs "
        "sphinx-build doxygen rake tsx ts-node storybook expo react-native ghc nim crystal conan "
        "vcpkg xcodebuild xcrun zig"
    ),
    "language_tools": "dotnet swift mix bundle bundler composer flutter dart stack cabal",
    "python": (
        "python python2 python3 python3.8 python3.9 python3.10 python3.11 python3.12 python3.13 python3.14 "
        "pypy pypy3 py"
    ),
    "structured": (
        "jq gojq jaq yq tomlq xq dasel gron ungron mlr pup htmlq xmllint csvsort csvcut csvlook csvstat csvgrep csvjoin csvstack csvformat csvjson in2csv "
        "xsv json_pp"
    ),
    "archives": (
        "tar gtar bsdtar gzip gunzip bzip2 bunzip2 pigz lzip lunzip uncompress compress xz unxz lzma unlzma zstd "
        "unzstd lz4 unlz4 unzip zipinfo zip 7z 7za 7zr 7zz unrar rar lsar ar cpio jar"
    ),
    "information": (
        "date gdate cal ncal uptime uname nproc logname hostid sw_vers vm_stat hostname domainname "
        "dnsdomainname whoami tty id groups who w users last lastb lastlog pinky free vmstat iostat mpstat "
        "pidstat sar lscpu lsmem lsns lsipc lslocks lsirq lsfd lsblk findmnt lsusb lspci lsmod modinfo "
        "lsb_release lshw dmidecode sensors acpi nvidia-smi lsof ps pgrep pidof pstree pwdx pmap top mount "
        "getconf locale getent stty printenv dmesg journalctl man info apropos whatis tldr tzselect zdump"
    ),
    "interfaces": "ip ifconfig ss netstat route arp nmcli",
    "file_changes": (
        "cp gcp ditto mv gmv ln gln link install ginstall mkdir gmkdir mkfifo mknod touch gtouch truncate gtruncate "
        "fallocate mktemp gmktemp split gsplit csplit gcsplit patch sponge rename prename dos2unix unix2dos "
        "mac2unix unix2mac"
    ),
    "interpreters": (
        "node nodejs deno perl perl5 ruby jruby php php8 php7 lua lua5.1 lua5.2 lua5.3 lua5.4 luajit Rscript "
        "R julia groovy scala clojure clj elixir racket ocaml octave erl swipl osascript tclsh wish guile "
        "sbcl expect irb pry ipython jupyter bpython ghci"
    ),
    "containers": ("docker podman nerdctl docker-compose podman-compose kubectl oc helm terraform tofu terragrunt"),
    "clouds": (
        "aws gcloud bq az doctl heroku vercel netlify firebase wrangler flyctl fly railway supabase ibmcloud oci linode-cli eksctl kops kind "
        "minikube k3d k3s k9s kustomize argocd flux istioctl linkerd cilium velero skopeo buildah crictl ctr lxc lxd incus virsh vboxmanage "
        "VBoxManage vagrant multipass limactl colima pulumi cdk sam serverless sls ansible ansible-playbook ansible-galaxy "
        "ansible-inventory salt puppet chef knife copilot eb amplify chalice packer consul nomad boundary waypoint"
    ),
    "databases": (
        "psql mysql mariadb sqlite3 sqlite redis-cli valkey-cli mongosh mongo pg_dump pg_dumpall pg_restore "
        "mysqldump mysqladmin mysqlimport createdb dropdb createuser dropuser vacuumdb reindexdb clusterdb "
        "pg_basebackup pg_ctl initdb pgbench mongodump mongorestore mongoexport mongoimport sqlcmd bcp isql "
        "sqlplus cqlsh influx clickhouse-client duckdb cockroach usql litecli pgcli mycli etcdctl pg_isready "
        "pg_config"
    ),
    "system_packages": (
        "apt apt-get aptitude apt-cache apt-mark apt-key apt-file add-apt-repository dpkg dpkg-query dpkg-deb "
        "rpm rpmquery dnf yum microdnf dnf5 zypper pacman yay paru apk brew port snap flatpak nix nix-env "
        "nix-build nix-channel nix-store nixos-rebuild home-manager guix gem cpan cpanm luarocks "
        "asdf mise rtx pyenv rbenv nodenv goenv jenv tfenv fnm volta"
    ),
    "inspecting": (
        "nm gnm llvm-nm objdump gobjdump llvm-objdump readelf greadelf llvm-readelf size gsize otool c++filt "
        "addr2line hexyl pdfinfo mediainfo pygmentize glow mdcat delta diffstat cloc tokei loc scc bc dc units "
        "getfacl getcap capsh ldd choose lsattr getfattr namei pathchk b3sum sha3sum uuidgen uuid mcookie pv ts envsubst figlet lolcat "
        "systemd-detect-virt"
    ),
    "macos": "defaults lipo codesign system_profiler mdfind mdls plutil scutil networksetup pmset ioreg xcode-select",
    "linting_more": (
        "rubocop standardrb reek brakeman phpstan phpcs psalm golangci-lint staticcheck gofmt goimports "
        "gofumpt rustfmt clang-format clang-tidy cppcheck cpplint hlint ktlint swiftlint tflint vale jsonlint "
        "taplo luacheck"
    ),
    "linting_extra": (
        "yapf autopep8 autoflake docformatter interrogate deptry lint-imports doc8 sphinx-lint djlint mdformat pymarkdown "
        "sqlfmt cmake-format cmake-lint cspell htmlhint commitlint knip depcheck madge textlint stylua typos php-cs-fixer "
        "pint rector scalafmt ormolu fourmolu elm-format nixfmt alejandra statix deadnix swift-format swiftformat "
        "google-java-format ktfmt buildifier checkmake editorconfig-checker ec luac erb_lint erblint haml-lint slim-lint"
    ),
    "testing_more": "behave cucumber cucumber-js nose2 prove gotestsum ginkgo",
    "compilers": (
        "gcc g++ cc c++ cpp clang clang++ clang-cpp gfortran gcc-11 gcc-12 gcc-13 gcc-14 g++-11 g++-12 g++-13 "
        "g++-14 clang-14 clang-15 clang-16 clang-17 clang-18 clang-19 tcc icc icx emcc em++ nvcc ld ld.gold "
        "ld.lld lld mold as nasm yasm ranlib java javac kotlinc kotlin scalac javadoc jshell jlink javap "
        "jdeps ecj ghcup gnat fpc dmd ldc2 gdc ocamlc ocamlfind opam dune sml mlton idris2 agda lean coqc v "
        "odin elm purs gleam rebar3 nimble swiftc csc mcs mono ilasm tinygo protoc buf flatc thrift cmake-gui "
        "qmake bison flex yacc lex swig antlr4 ragel rr gprof gcov llvm-config ffmpeg ffprobe ffplay convert "
        "magick identify mogrify sox pandoc pdftotext pdflatex xelatex lualatex latex latexmk tex bibtex dot "
        "graphviz gnuplot inkscape gimp libreoffice soffice tesseract exiftool wkhtmltopdf qpdf gs mutool "
        "typst asciidoctor rst2html markdown nginx apache2 httpd apachectl caddy haproxy traefik redis-server "
        "postgres mysqld mongod memcached rabbitmqctl elasticsearch zellij byobu starship zoxide atuin "
        "thefuck ollama llm aider claude codex gemini cursor-agent goose opencode copilot-cli "
        "pkg-config pkgconf ccache sccache"
    ),
    "secret_stores": (
        "sops pass gopass op bw keepassxc-cli lpass security secret-tool pbpaste wl-paste xclip xsel age gpg gpg2 keytool doppler chamber "
        "vault ansible-vault wg openssl"
    ),
}

_FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names.split()}
_FOUND: dict[str, Program] = {}
_POSIX = Dialect.POSIX


_TELLING = frozenset(
    "wrappers launchers system file_changes editors archives network ssh_keys sed inspecting text_filters".split()
)
_NOT_TELLING = frozenset(
    "killall5 update-grub nohup at batch proxychains proxychains4 - noglob nocorrect mail mailx mutt sendmail msmtp "
    "swaks nslookup ftp tftp sftp tee gtee yes".split()
)


def tells(name: str) -> bool:
    """Return whether a program, given ``--help`` or ``--version`` alone, says that or refuses it and does nothing."""
    return _FAMILY_OF.get(name) in _TELLING and name not in _NOT_TELLING


def find(name: str, dialect: Dialect = _POSIX) -> Program | None:
    """Return the description of a program by its name without a folder, or None."""
    if dialect is not _POSIX:
        from ..windows import names

        return names.find(name, dialect)
    found = _FOUND.get(name)
    if found is None and (family := _FAMILY_OF.get(name)) is not None:
        found = _FOUND[name] = import_module(f"{__name__}.{family}").PROGRAMS[name]
    return found
