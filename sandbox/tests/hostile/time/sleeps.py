# Sleeps and uses no computing time.
import time

time.sleep(3600)
