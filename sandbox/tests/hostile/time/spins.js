// Computes for ever.
'use strict';

for (;;);
