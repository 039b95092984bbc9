// Throws what nobody handles.
'use strict';

process.stdout.write('before\n');
new Missing();
