# Looks for secrets in its environment.
import posix

print(sorted(posix.environ))
