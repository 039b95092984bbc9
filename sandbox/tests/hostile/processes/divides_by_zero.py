# Raises what nobody handles.
print("before")
1 // 0
