"""Which programs take a secret where nothing but the program itself says so."""

from __future__ import annotations

PASSWORD_OPTIONS = {
    "mysql": "-p", "mysqldump": "-p", "mysqladmin": "-p", "mariadb": "-p", "mariadb-dump": "-p", "sshpass": "-p",
    "7z": "-p", "7za": "-p", "7zz": "-p", "docker login": "-p", "podman login": "-p", "redis-cli": "-a", "zip": "-P",
    "unzip": "-P", "ldapsearch": "-w", "ldapmodify": "-w", "ldapadd": "-w", "ldapdelete": "-w", "ldapwhoami": "-w",
    "ldappasswd": "-w -s -a", "twine": "-p", "gh secret": "-b --body", "curl": "-b", "mongosh": "-p", "mongo": "-p",
    "mongodump": "-p", "mongorestore": "-p", "http": "-a", "https": "-a", "security": "-w -p -P", "rar": "-hp -p",
    "unrar": "-p",
    "nmcli": "password wifi-sec.psk 802-11-wireless-security.psk",
    "az": "-p --value", "aws": "--value", "useradd": "-p", "usermod": "-p",
    "ssh-keygen": "-N -P", "ipmitool": "-P", "snmpwalk": "-A -X -c", "snmpget": "-A -X -c", "snmpset": "-A -X -c",
    "sqlcmd": "-P", "bcp": "-P", "xfreerdp": "/p:", "rdesktop": "-p", "psexec": "-p", "PsExec.exe": "-p",
    "evil-winrm": "-p", "crackmapexec": "-p", "vercel": "-t", "influx": "-t", "steghide": "-p", "gitlab-runner": "-r",
    "helm login": "-p", "oc login": "-p", "skopeo login": "-p", "oras login": "-p",
    "pdftk": "user_pw owner_pw input_pw", "snowsql": "-p",
    "mosquitto_pub": "-P", "mosquitto_sub": "-P", "poetry": "-p", "ncftpput": "-p", "ncftpget": "-p",
    "cqlsh": "-p", "clickhouse-client": "--password", "xh": "-a", "twilio": "-p", "rabbitmqadmin": "-p",
    "xmlsec1": "--pwd", "pdftotext": "-upw -opw", "yt-dlp": "-p", "swaks": "-ap", "sendemail": "-xp", "choco": "-k",
    "veracrypt": "-p",
    "swift": "-K", "cypher-shell": "-p", "beeline": "-p", "isql": "-P", "mycli": "-p", "hydra": "-p", "schtasks": "/rp",
    "pkcs11-tool": "-p --pin --so-pin", "cf login": "-p", "doctl": "-t", "codecov": "-t", "transmission-remote": "-n",
}  # fmt: skip
"""Programs with options whose value, attached or the next word, is a password."""

SUBCOMMANDS = {
    "docker": ("login",), "podman": ("login",), "gh": ("secret",), "vault": ("login", "put", "write", "unseal"),
    "cargo": ("login",), "helm": ("login",), "oc": ("login",), "skopeo": ("login",), "oras": ("login",),
    "bw": ("unlock", "login"), "net": ("user", "use"), "snyk": ("auth",), "ngrok": ("authtoken", "add-authtoken"),
    "mysqladmin": ("password",), "consul": ("put",), "rabbitmqctl": ("add_user", "change_password"),
    "rclone": ("obscure",), "ansible-vault": ("encrypt_string",), "redis-cli": ("AUTH", "auth"),
    "cf": ("login", "auth"), "mc": ("set",), "doppler": ("set",), "chamber": ("write",), "credstash": ("put",),
    "wandb": ("login",), "dotnet": ("set",), "neo4j-admin": ("set-initial-password",), "b2": ("authorize-account",),
}  # fmt: skip
"""Programs that take a secret after one of their subcommands only."""

OPERANDS = {
    "vault login": 1, "vault unseal": 1, "cargo login": 1, "bw unlock": 1, "bw login": 2, "net user": 2, "snyk auth": 1,
    "ngrok authtoken": 1, "ngrok add-authtoken": 1, "mysqladmin password": 1, "redis-cli AUTH": 1, "redis-cli auth": 1,
    "wpa_passphrase": 2, "net use": 3, "consul put": 2, "rabbitmqctl add_user": 2, "rabbitmqctl change_password": 2,
    "rclone obscure": 1, "ansible-vault encrypt_string": 1, "cf auth": 2, "mc set": 4, "doppler set": 2,
    "chamber write": 3, "credstash put": 2, "wandb login": 1, "dotnet set": 2, "neo4j-admin set-initial-password": 1,
    "b2 authorize-account": 2, "radtest": 2, "smbclient": 2,
}  # fmt: skip
"""Which operand behind the program and its subcommand is a secret, counted from 1."""

KNOWN_PROGRAMS = {*PASSWORD_OPTIONS, *SUBCOMMANDS, *OPERANDS, "htpasswd", "openssl"}
