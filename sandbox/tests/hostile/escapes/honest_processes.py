# Does honest work: starts another program, and a process of the library with a pipe.
import multiprocessing, subprocess, sys

try:
    print(subprocess.run([sys.executable, "-I", "-S", "-c", "print(7)"], capture_output=True).stdout)
    context = multiprocessing.get_context("fork")
    here, there = context.Pipe()
    process = context.Process(target=lambda: there.send("from the child"))
    process.start()
    print(here.recv())
    process.join()
except BlockingIOError as error:
    print(error.strerror)
