"""What the functions of standard libraries do that matter here, by their dotted names.

Sources: docs.python.org (os, shutil, subprocess, pathlib, socket, urllib), nodejs.org (fs, child_process, net),
docs.deno.com, bun.sh, perlfunc(1), File::Path, ruby-doc.org (Kernel, File, Dir, FileUtils, IO), the php.net function
reference, the Lua manual (os, io), R "base", docs.julialang.org (Base), the Groovy and Java API, hexdocs.pm
(File, System), erlang.org (os, file), and base of Haskell and OCaml.

A name with a dot is looked for at the end of what code calls; `_ANYWHERE` lists names that mean one thing whatever
stands in front, and `_ALONE` those that a language calls without anything in front.  Kinds are the methods of
`phocinae.domain.languages.acts`; one that starts with ``own_`` is about the object itself.
"""

from __future__ import annotations

_QUALIFIED = {
    "shell": (
        "os.system os.popen os.popen2 os.popen3 os.popen4 subprocess.run subprocess.call subprocess.Popen "
        "subprocess.check_call subprocess.check_output subprocess.getoutput subprocess.getstatusoutput "
        "commands.getoutput commands.getstatusoutput pty.spawn asyncio.create_subprocess_shell "
        "asyncio.create_subprocess_exec child_process.exec child_process.execSync child_process.spawn "
        "child_process.spawnSync child_process.execFile child_process.execFileSync Open3.capture2 Open3.capture2e "
        "Open3.capture3 Open3.popen2 Open3.popen3 Open3.pipeline IO.popen Process.spawn Process.exec System.cmd "
        "System.shell os.cmd os.execute io.popen Bun.spawn Bun.spawnSync Deno.Command Deno.run Sys.command "
        "Process.system Process.callCommand Process.callProcess Process.readProcess Runtime.getRuntime().exec "
        "sys.process.Process process.Process C.system CDLL().system libc.system Bun.$` .$` Kernel.exec posix.system "
        "vim.cmd fn.system pexpect.spawn pexpect.run sh.Command invoke.run fabric.run"
    ),
    "replace": (
        "os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe os.posix_spawn os.posix_spawnp"
    ),
    "start": "os.spawnl os.spawnle os.spawnlp os.spawnlpe os.spawnv os.spawnve os.spawnvp os.spawnvpe",
    "tree": (
        "shutil.rmtree FileUtils.rm_rf FileUtils.rm_r FileUtils.remove_entry FileUtils.remove_entry_secure "
        "FileUtils.remove_dir FileUtils.rmtree FileUtils.deleteDirectory os.removedirs File.rm_rf File.rm_rf! "
        "file.del_dir_r Directory.removeDirectoryRecursive Directory.removePathForcibly os.RemoveAll "
        "FileManager.default.removeItem fs.remove fs.emptyDir fs.emptyDirSync Path.remove_tree"
    ),
    "perhaps_tree": "fs.rm fs.rmdir Deno.remove Deno.removeSync",
    "delete": (
        "os.remove os.unlink os.rmdir pathlib.unlink fs.unlink fs.unlinkSync File.delete File.unlink Dir.delete "
        "Dir.rmdir Dir.unlink FileUtils.rm FileUtils.rm_f FileUtils.rmdir FileUtils.remove file.remove file.delete "
        "Files.delete Files.deleteIfExists File.rm File.rm! File.rmdir File.rmdir! Directory.removeFile Sys.remove "
        "Sys.rmdir Unix.unlink Unix.rmdir os.Remove Bun.file().delete"
    ),
    "write": (
        "fs.writeFile fs.writeFileSync fs.appendFile fs.appendFileSync fs.truncate fs.truncateSync "
        "fs.createWriteStream os.truncate os.mkfifo os.mknod File.write File.write! File.binwrite File.truncate "
        "IO.write IO.binwrite FileUtils.touch Deno.writeTextFile Deno.writeTextFileSync Deno.writeFile "
        "Deno.writeFileSync Deno.create Deno.createSync Deno.truncate Bun.write Files.write Files.writeString "
        "file.write_file file.create os.WriteFile os.Create os.Truncate"
    ),
    "rights": (
        "os.chmod os.chown os.lchown fs.chmod fs.chmodSync fs.chown fs.chownSync Deno.chmod Deno.chmodSync Deno.chown "
        "File.chmod! os.Chmod FileUtils.chmod FileUtils.chmod_R FileUtils.chown FileUtils.chown_R File.chmod "
        "File.chown Sys.chmod shutil.chown"
    ),
    "copy": (
        "shutil.copy shutil.copy2 shutil.copyfile shutil.copytree fs.copyFile fs.copyFileSync fs.cp fs.cpSync "
        "os.symlink os.link fs.symlink fs.symlinkSync fs.link fs.linkSync FileUtils.cp FileUtils.cp_r FileUtils.copy "
        "FileUtils.ln_s FileUtils.ln_sf FileUtils.install File.symlink File.link File.cp File.cp! File.ln_s file.copy "
        "file.symlink Deno.copyFile Deno.copyFileSync Deno.symlink Files.copy"
    ),
    "move": (
        "os.rename os.replace os.renames shutil.move fs.rename fs.renameSync FileUtils.mv FileUtils.move File.rename "
        "File.rename! file.rename Deno.rename Deno.renameSync Files.move Sys.rename os.Rename"
    ),
    "open": (
        "io.open codecs.open os.open fs.open fs.openSync File.open File.new IO.sysopen gzip.open lzma.open bz2.open "
        "file.open Deno.open Deno.openSync Path().open File().open os.OpenFile"
    ),
    "own_delete": "Path().unlink Path().rmdir File().delete File().deleteOnExit Pathname().delete Pathname().unlink",
    "own_tree": "Path().rmtree File().deleteDir Pathname().rmtree",
    "own_write": (
        "Path().write_text Path().write_bytes Path().touch File().write File().append File().setText "
        "File().withWriter File().text= File().bytes= Pathname().write"
    ),
    "own_rights": "Path().chmod Path().lchmod File().setWritable",
    "own_move": "Path().rename Path().replace File().renameTo",
    "own_link": "Path().symlink_to Path().hardlink_to",
    "open_own": "Path().open",
    "own_list": (
        "Path().iterdir Path().glob Path().rglob Path().walk File().listFiles File().eachFile File().eachFileRecurse"
    ),
    "same_path": "Path().expanduser Path().resolve Path().absolute Path().as_posix Path().__str__ File().getPath",
    "join_own": "Path().joinpath",
    "list": (
        "os.listdir os.scandir os.walk os.fwalk glob.glob glob.iglob fs.readdirSync fs.readdir fs.globSync Dir.glob "
        "Dir.children Dir.entries Dir.each_child Dir.[] list.files Sys.glob Deno.readDirSync Find.find"
    ),
    "path": "pathlib.Path pathlib.PosixPath java.io.File Pathname.new Paths.get Path.of pathlib.PurePath",
    "join": (
        "os.path.join path.join path.resolve File.join File.expand_path os.path.abspath os.path.realpath "
        "os.path.normpath Path.join Path.expand Path.joinpath posixpath.join"
    ),
    "home": "Path.home pathlib.Path.home os.homedir Dir.home System.user_home System.user_home! os.userInfo",
    "here": "os.getcwd process.cwd Dir.pwd Path.cwd pathlib.Path.cwd Dir.getwd Deno.cwd File.cwd! os.curdir",
    "home_of": "os.path.expanduser path.expand os.path.expandvars",
    "environment": (
        "os.getenv os.environ.get Sys.getenv System.getenv System.get_env ENV.fetch Deno.env.get "
        "os.environ.setdefault ENV.get os.environ.pop"
    ),
    "fetch": (
        "requests.get requests.post requests.request httpx.get httpx.post httpx.request urllib.request.urlopen "
        "urllib.urlopen urllib2.urlopen request.urlopen urllib3.request http.get https.get axios.get axios.post "
        "URI.open OpenURI.open_uri Net.HTTP.get Net.HTTP.get_response HTTP.get HTTPoison.get! Req.get! LWP.Simple.get "
        "HTTP.Tiny.new wget.download got.get client.get session.get Faraday.get HTTParty.get httpc.request url.text "
        "requests.Session aiohttp.request"
    ),
    "fetch_to": (
        "urllib.request.urlretrieve urllib.urlretrieve request.urlretrieve wget.download LWP.Simple.getstore "
        "download.file Downloads.download"
    ),
    "decode": (
        "base64.b64decode base64.decodebytes base64.urlsafe_b64decode base64.standard_b64decode base64.b32decode "
        "base64.a85decode base64.b85decode binascii.a2b_base64 binascii.unhexlify bytes.fromhex codecs.decode "
        "zlib.decompress gzip.decompress bz2.decompress lzma.decompress marshal.loads pickle.loads Base64.decode64 "
        "Base64.urlsafe_decode64 Base64.strict_decode64 Base64.decode64! Base.decode64! Base.decode16! "
        "MIME.Base64.decode Zlib.inflate Zlib.Inflate.inflate zlib.inflateSync zlib.gunzipSync "
        "Base64.getDecoder().decode base64.decode"
    ),
    "buffer": "Buffer.from Buffer",
    "eval": (
        "vm.runInThisContext vm.runInNewContext vm.runInContext Code.eval_string builtins.exec builtins.eval "
        "vm.Script module._compile"
    ),
    "run_file": "runpy.run_path runpy.run_module execfile Deno.import Code.eval_file Code.require_file",
    "module": (
        "importlib.import_module builtins.__import__ mainModule.require module.require process.mainModule.require "
        "process.binding createRequire()"
    ),
    "socket": (
        "socket.socket socket.create_connection TCPSocket.new TCPSocket.open Socket.tcp Socket.new net.connect "
        "net.createConnection net.Socket net.createServer tls.connect IO.Socket.INET IO.Socket.INET.new "
        "IO.Socket.SSL.new IO.Socket.INET() Socket.INET Socket.INET.new Deno.connect socket.tcp socket.connect "
        "Bun.connect TCPServer.new gen_tcp.connect java.net.Socket ssl.wrap_socket asyncio.open_connection"
    ),
    "dup": "os.dup2 posix.dup2 STDIN.reopen STDOUT.reopen $stdin.reopen STDIN.fdopen stdin.reopen stdout.reopen",
    "plain": (
        "socket().fileno socket().getsockname socket().close socket().bind socket().listen socket().settimeout "
        "socket().setsockopt socket().getpeername"
    ),
    "split": "shlex.split",
    "input": "fileinput.input fileinput.FileInput",
    "format": "string.format",
    "fill": "open().write open().writelines",
    "kill_all": "os.kill process.kill Process.kill os.killpg",
}
_ANYWHERE = {
    "same": "promisify",
    "module": "_load",
    "shell": "execSync spawnSync execFileSync doShellScript create_subprocess_shell create_subprocess_exec",
    "tree": "rmtree rm_rf rimraf removeSync deleteTree rmSync rmdirSync remove_tree removeItem",
    "write": "writeFileSync appendFileSync truncateSync file_put_contents",
    "delete": "unlinkSync",
    "rights": "chmodSync chownSync",
    "decode": "b64decode decodebytes fromhex unhexlify decode64 urlsafe_decode64",
    "fetch": "urlopen",
    "home": "homedir",
    "list": "readdirSync",
    "dup": "dup2 fdopen",
    "eval": "instance_eval class_eval",
    "method": "send public_send __send__",
    "unpack": "unpack unpack1",
    "pack": "pack",
    "read_file": "readFileSync",
}
_ALONE: dict[str, dict[str, str]] = {
    "python": {
        "eval": "eval exec compile",
        "open": "open file",
        "module": "__import__ import_module",
        "attribute": "getattr",
        "run_file": "execfile",
        "each_of": "map filter",
        "input": "input raw_input",
        "path": "Path PosixPath",
        "same": "vars str bytes list tuple bytearray repr sorted reversed set iter memoryview",
        "char": "chr",
        "fetch": "urlopen",
        "fetch_to": "urlretrieve",
    },
    "javascript": {
        "eval": "eval Function setTimeout setInterval",
        "fetch": "fetch axios got",
        "decode": "atob",
        "module": "require import createRequire",
        "shell": "$` Bun.$` execa execaCommand",
        "same": "String decodeURIComponent unescape Array",
        "tree": "emptyDirSync",
    },
    "perl": {
        "shell": "system exec",
        "delete": "unlink rmdir",
        "tree": "rmtree remove_tree",
        "perl_open": "open sysopen",
        "move": "rename move mv",
        "rights_behind": "chmod chown",
        "write": "truncate",
        "copy": "symlink link copy cp",
        "eval": "eval",
        "list": "glob",
        "backward": "reverse",
        "decode": "decode_base64 decode_base32 unpack uncompress",
        "pack_format": "pack",
        "fetch": "get",
        "fetch_to": "getstore mirror",
        "socket": "socket IO.Socket.INET",
        "format": "sprintf",
        "run_file": "do require",
        "join_list": "join",
        "char": "chr",
        "lower": "lc",
        "upper": "uc",
    },
    "ruby": {
        "shell": "system exec spawn ` popen",
        "eval": "eval",
        "open": "open",
        "delete": "unlink",
        "tree": "rm_r rm_rf remove_entry",
        "run_file": "load require_relative",
        "format": "sprintf format",
    },
    "php": {
        "shell": "system exec passthru shell_exec popen proc_open expect_popen",
        "replace": "pcntl_exec",
        "delete": "unlink rmdir",
        "write": "file_put_contents touch",
        "move": "rename move_uploaded_file",
        "copy": "copy symlink link",
        "rights": "chmod chown chgrp lchown",
        "open": "fopen",
        "eval": "eval assert create_function",
        "decode": "base64_decode gzinflate gzuncompress gzdecode str_rot13 hex2bin convert_uudecode",
        "backward": "strrev",
        "read_file": "file_get_contents readfile file",
        "fetch": "curl_exec",
        "run_file": "include include_once require require_once",
        "socket": "fsockopen pfsockopen stream_socket_client socket_create",
        "list": "glob scandir",
        "environment": "getenv",
        "each_of": "array_map array_walk call_user_func call_user_func_array",
        "format": "sprintf",
        "lower": "strtolower",
        "upper": "strtoupper",
        "char": "chr",
        "join_list": "implode join",
        "same": "trim strval escapeshellcmd",
    },
    "lua": {
        "eval": "load loadstring dostring",
        "run_file": "dofile loadfile",
        "module": "require",
        "same": "ipairs pairs",
    },
    "r": {
        "shell": "system system2 shell shell.exec pipe",
        "perhaps_tree": "unlink",
        "eval": "eval parse",
        "run_file": "source",
        "write_behind": "writeLines write cat sink write.csv saveRDS dump",
        "same": "c list as.character as.vector readLines file url",
        "paste": "paste paste0",
        "home_of": "path.expand",
        "join": "file.path",
        "format": "sprintf",
        "fetch": "getURL read_html",
    },
    "julia": {
        "shell": "run pipeline",
        "perhaps_tree": "rm",
        "write": "write touch",
        "open": "open",
        "eval": "eval include_string",
        "run_file": "include",
        "fetch": "download",
        "home": "homedir",
        "here": "pwd",
        "join": "joinpath",
        "home_of": "expanduser",
        "move": "mv",
        "copy": "cp symlink",
        "list": "readdir",
        "rights": "chmod",
        "decode": "base64decode",
        "same": "string String Cmd",
    },
    "groovy": {
        "eval": "evaluate",
        "path": "File",
        "socket": "Socket",
        "address": "URL URI",
        "same": "String Seq List",
    },
    "erlang": {
        "shell": "shell process_create",
        "tree": "delete_directory_and_contents",
        "delete": "delete_file delete_directory",
    },
    "haskell": {
        "shell": "system callCommand callProcess readProcess rawSystem spawnCommand runCommand createProcess",
        "tree": "removeDirectoryRecursive removePathForcibly",
        "delete": "removeFile removeDirectory",
        "write": "writeFile appendFile",
        "move": "renameFile renamePath",
    },
    "vim": {
        "shell": "system systemlist job_start termopen jobstart",
        "tree": "delete",
        "write_behind": "writefile",
        "move": "rename",
        "home_of": "expand",
    },
    "octave": {
        "shell": "system dos unix popen",
        "delete": "delete unlink rmdir",
        "eval": "eval evalc",
        "run_file": "source run",
        "fetch": "urlread webread",
        "fetch_to": "urlwrite",
    },
}
_NOWHERE = frozenset(
    "Kernel builtins globalThis global window promises std Object vim java lang Elixir CORE GLOBAL self "
    "__dict__ POSIX".split()
)
"""Names in front that change nothing."""


def _by_name(table: dict[str, str]) -> dict[str, str]:
    return {name: kind for kind, names in table.items() for name in names.split(" ") if name}


_QUALIFIED_KINDS = _by_name(_QUALIFIED)
_ANYWHERE_KINDS = _by_name(_ANYWHERE)
_ALONE_KINDS = {language: _by_name(table) for language, table in _ALONE.items()}
HOMES = frozenset(
    "os.environ.HOME os.environb.HOME process.env.HOME process.env.USERPROFILE "
    "ENV.HOME _SERVER.HOME _ENV.HOME env.HOME Dir.home os.homedir user.home".split()
)
"""What is the home of the user when it is read."""
HERE = frozenset("os.curdir Dir.pwd process.env.PWD ENV.PWD os.environ.PWD env.PWD".split())
INPUTS = frozenset("sys.stdin STDIN stdin process.stdin $stdin io.stdin".split())
ONE = {"os.sep": "/", "path.sep": "/", "sys.executable": "python3", "process.execPath": "node", "File.SEPARATOR": "/"}
"""What reads as one text."""


def kind(ref: str, language: str) -> str:
    """Return what a function does, or an empty text where that is not known or does not matter."""
    if language in ("groovy",) and ref.endswith(".execute"):
        return "own_shell"
    parts = [part for part in ref.replace("::", ".").replace("/", ".").split(".") if part not in _NOWHERE]
    for count in (4, 3, 2):
        if len(parts) >= count:
            found = _QUALIFIED_KINDS.get(".".join(parts[-count:]))
            if found is not None:
                return found
    name = parts[-1] if parts else ref
    if len(parts) == 1:
        found = _ALONE_KINDS.get(language, {}).get(name)
        if found is not None:
            return found
    return _ANYWHERE_KINDS.get(name, "")
