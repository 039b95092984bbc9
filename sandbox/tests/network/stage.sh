# Another machine, and this one, in namespaces that end with the test: 198.51.100.2 is ours, 198.51.100.1 is
# outside. Arguments: a folder, how the helper ends (`usual` or `killed`), then its words.
set -e
folder=$1 end=$2
shift 2
exec 3<&0 </dev/null
ip link set lo up
ip address add 203.0.113.9/32 dev lo
unshare --net sleep 600 >/dev/null 2>&1 3<&- &
outside=$!
while [ "$(readlink /proc/$outside/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do :; done
ip link add inner type veth peer name outer netns $outside
ip address add 198.51.100.2/24 broadcast + dev inner
ip address add fd51::2/64 dev inner nodad
ip link set inner up
ip route add default via 198.51.100.1
enter="nsenter --net=/proc/$outside/ns/net"
$enter ip address add 198.51.100.1/24 dev outer
$enter ip link set outer up
# Where only root may open it, ours has a twin that anybody may.
if [ "$(id -u)" = 0 ]; then
    mount -t tmpfs none /dev/net
    mknod -m 666 /dev/net/tun c 10 200
    chmod 755 /dev/net
fi
printf 'nameserver 127.0.0.1\n' > "$folder/resolv.conf"
mount --bind "$folder/resolv.conf" /etc/resolv.conf
mkfifo "$folder/ready-outside" "$folder/ready-here"
$enter "$PYTHON" "$folder/serve.py" outside "$folder" >/dev/null 3<&- &
read -r _ < "$folder/ready-outside"
"$PYTHON" "$folder/serve.py" here "$folder" >/dev/null 3<&- &
read -r _ < "$folder/ready-here"
"$PYTHON" "$folder/attempts.py" control > "$folder/control" 3<&-
: > "$folder/here"
# One that has ended and was not waited for has no program any more.
present() { ls -l /proc/[0-9]*/exe 2>/dev/null | grep slirp4netns > "$folder/left"; }
if [ "$end" = killed ]; then
    "$@" <&3 3<&- &
    helper=$!
    # The program says so once it runs.
    tries=0
    until grep -q running "$folder/outside" || [ $tries -gt 5000 ]; do tries=$((tries + 1)); done
    present || echo none > "$folder/before"
    kill -KILL $helper
    tries=0
    while present && [ $tries -lt 2000 ]; do tries=$((tries + 1)); done
else
    "$@" <&3 3<&-
    present || :
fi
