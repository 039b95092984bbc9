# Does honest work: temporary files, the account's name, random bytes, the time.
import os, pwd, tempfile, time

with tempfile.TemporaryFile() as file:
    file.write(b"kept")
    file.seek(0)
    print(file.read())
try:
    print(pwd.getpwuid(os.getuid()).pw_name)
except KeyError:
    print("nobody")
print(len(os.urandom(16)), time.time() > 0)
