# Does honest work: asks whether it is at a terminal, how large that is, and for memory and time.
import os, resource, selectors, shutil, signal, sys, time

print(sys.stdout.isatty(), shutil.get_terminal_size().columns, os.get_terminal_size is not None)
print(resource.getrlimit(resource.RLIMIT_CORE)[1], time.process_time() > 0, time.thread_time() > 0)
signal.setitimer(signal.ITIMER_REAL, 0.01)
signal.signal(signal.SIGALRM, lambda *_: print("alarm"))
signal.pause()
with selectors.DefaultSelector() as chooser:
    reads, writes = os.pipe()
    chooser.register(reads, selectors.EVENT_READ)
    os.write(writes, b"x")
    print(len(chooser.select(1)))
