# Connects to a service of this machine, by name, number and path.
import _socket, errno

places = {
    "loopback": (_socket.AF_INET, ("127.0.0.1", 22)),
    "bus": (_socket.AF_UNIX, "/run/dbus/system_bus_socket"),
    "abstract": (_socket.AF_UNIX, b"\0hostile"),
}
for name, (family, place) in places.items():
    try:
        _socket.socket(family, _socket.SOCK_STREAM).connect(place)
        print(f"{name}: ok")
    except OSError as error:
        print(f"{name}: {errno.errorcode[error.errno]}")
