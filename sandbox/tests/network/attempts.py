# Tries to reach this machine in every way that names it, and the one outside. With the word `control` it runs
# on the machine itself, and leaves out what would only be refused there.
import ctypes, errno, os, socket, sys

PORT = 7777
OUTSIDE = "198.51.100.1"
control = sys.argv[1:] == ["control"]


def say(name, attempt):
    try:
        answer = attempt()
    except TimeoutError:
        answer = "nobody"
    except OSError as error:
        answer = errno.errorcode.get(error.errno, str(error))
    print(f"{name}: {answer}", flush=True)


def stream(family, place):
    with socket.socket(family) as one:
        one.settimeout(1)
        one.connect(place)
        return one.recv(100).decode()


def datagram(family, place, first=None, flags=0):
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.settimeout(0.2)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        if first:
            # The kernel looks for no way for a group once a socket has an address of its own.
            one.connect(first)
        one.sendto(b"x", flags, place)
        return one.recv(100).decode()


def both(address):
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    say(f"tcp {address}", lambda: stream(family, (address, PORT)))
    say(f"udp {address}", lambda: datagram(family, (address, PORT)))


HERE = ["127.0.0.1", "127.8.8.8", "0.0.0.0", "198.51.100.2", "203.0.113.9", "::1", "::", "fd51::2",
        "::ffff:127.0.0.1", "::ffff:198.51.100.2"]
for address in HERE:
    both(address)
say("all", lambda: datagram(socket.AF_INET, ("198.51.100.255", PORT)))
say("abstract", lambda: stream(socket.AF_UNIX, "\0vosim-network"))
say("path", lambda: stream(socket.AF_UNIX, os.path.dirname(os.path.abspath(sys.argv[0])) + "/socket"))
if control:
    sys.exit()

for address in ("10.0.2.2", "10.0.2.3", "10.0.2.4", "169.254.169.254"):
    both(address)
for address in (*HERE[:5], "10.0.2.2", "224.0.0.1", "255.255.255.255", "198.51.100.255"):
    first = (OUTSIDE, PORT)
    say(f"udp {address} from an address",
        lambda: datagram(socket.AF_INET, (address, PORT), first))
    say(f"udp {address} past the gateway",
        lambda: datagram(socket.AF_INET, (address, PORT), first, socket.MSG_DONTROUTE))

say("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW))
say("echo", lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP))
say("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
say("netlink", lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0))
say("vsock", lambda: socket.socket(socket.AF_VSOCK))
say("unix", lambda: socket.socket(socket.AF_UNIX))
say("device", lambda: os.open("/dev/net/tun", os.O_RDWR))
with socket.socket() as one:
    say("options", lambda: one.setsockopt(socket.IPPROTO_IP, socket.IP_OPTIONS, bytes(4)))
    say("alive", lambda: one.setsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE, 60))
    say("interface", lambda: one.setsockopt(socket.SOL_SOCKET, 25, b"lo"))
    say("bind", lambda: one.bind(("0.0.0.0", PORT)))
    say("listen", lambda: one.listen())
library = ctypes.CDLL(None, use_errno=True)


def call(name, *arguments):
    if library[name](*arguments) < 0:
        raise OSError(ctypes.get_errno(), "")
    return "ok"


NEW_USER, NEW_NET = 0x10000000, 0x40000000
say("unshare", lambda: call("unshare", NEW_USER | NEW_NET))
say("setns", lambda: call("setns", 0, NEW_NET))
# The request by which a route is added, with room for what belongs to it.
say("route", lambda: call("ioctl", socket.socket().fileno(), 0x890B, ctypes.create_string_buffer(128)))
ours = os.fork()
if ours == 0:
    say("tcp 198.51.100.2 in a child", lambda: stream(socket.AF_INET, ("198.51.100.2", PORT)))
    say("abstract in a child", lambda: stream(socket.AF_UNIX, "\0vosim-network"))
    sys.exit()
os.waitpid(ours, 0)
both(OUTSIDE)
say(f"tcp ::ffff:{OUTSIDE}", lambda: stream(socket.AF_INET6, (f"::ffff:{OUTSIDE}", PORT)))
say("named", lambda: stream(socket.AF_INET, socket.getaddrinfo("outside.test", PORT)[0][4]))
say("local", lambda: socket.gethostbyname("localhost"))
say("files", lambda: " ".join(sorted(set(os.listdir("/etc")) - {"ssl", "pki"})))
say("certificates", lambda: str(os.path.isdir("/etc/ssl/certs")))
