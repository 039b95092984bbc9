# Listens at every address that its machine has, notes who comes, and says where it is.
import os, select, socket, struct, sys

where, folder = sys.argv[1:]
PORT = 7777
listening = []
for family, every in ((socket.AF_INET, "0.0.0.0"), (socket.AF_INET6, "::")):
    for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM):
        one = socket.socket(family, kind)
        if family == socket.AF_INET6:
            one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        one.bind((every, PORT))
        listening.append(one)
if where == "here":
    for place in ("\0vosim-network", folder + "/socket"):
        one = socket.socket(socket.AF_UNIX)
        one.bind(place)
        listening.append(one)
    os.chmod(folder + "/socket", 0o777)
    names = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    names.bind(("127.0.0.1", 53))
    listening.append(names)
else:
    names = None
for one in listening:
    if one.type == socket.SOCK_STREAM:
        one.listen()
noted = open(f"{folder}/{where}", "a", buffering=1)
open(f"{folder}/ready-{where}", "w").write("ready\n")


def named(asked):
    # Every name is that of the machine outside; it has no address of the other kind.
    end = asked.index(b"\0", 12) + 5
    wanted = struct.unpack(">H", asked[end - 4 : end - 2])[0] == 1
    head = asked[:2] + struct.pack(">HHHHH", 0x8180, 1, int(wanted), 0, 0)
    answer = struct.pack(">HHHIH4s", 0xC00C, 1, 1, 60, 4, bytes((198, 51, 100, 1)))
    return head + asked[12:end] + (answer if wanted else b"")


while True:
    for one in select.select(listening, [], [])[0]:
        if one is names:
            asked, sender = one.recvfrom(1024)
            one.sendto(named(asked), sender)
        elif one.type == socket.SOCK_STREAM:
            guest, sender = one.accept()
            noted.write(f"stream {sender}\n")
            try:
                guest.sendall(where.encode())
            except OSError:
                pass
            guest.close()
        else:
            text, sender = one.recvfrom(1024)
            noted.write(f"datagram {sender} {text.decode()}\n")
            one.sendto(where.encode(), sender)
