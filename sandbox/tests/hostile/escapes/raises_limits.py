# Raises each of its own limits.
import resource

for name in sorted(name for name in dir(resource) if name.startswith("RLIMIT_")):
    hard = resource.getrlimit(getattr(resource, name))[1]
    if hard == resource.RLIM_INFINITY:
        continue
    try:
        resource.setrlimit(getattr(resource, name), (hard + 1, hard + 1))
        print(name, "raised")
    except ValueError:
        pass
print("end")
