# Does honest work: other programs from an event loop, which looks for descriptors of processes.
import asyncio, sys


async def main():
    words = [sys.executable, "-I", "-S", "-c", "print(6 * 7)"]
    started = await asyncio.create_subprocess_exec(*words, stdout=asyncio.subprocess.PIPE)
    out, _ = await started.communicate()
    print(out.decode().strip(), started.returncode)


try:
    asyncio.run(main())
except BlockingIOError as error:
    print(error.strerror)
