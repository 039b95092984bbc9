# Does honest work: an event loop with timers, threads and a pair of sockets.
import asyncio, socket


async def main():
    loop = asyncio.get_running_loop()
    await asyncio.sleep(0.01)
    print(await asyncio.to_thread(sum, [1, 2, 3]))
    one, other = socket.socketpair()
    one.setblocking(False), other.setblocking(False)
    await loop.sock_sendall(one, b"woken")
    print(await loop.sock_recv(other, 9))


asyncio.run(main())
