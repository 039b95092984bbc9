// Aborts.
'use strict';

process.abort();
