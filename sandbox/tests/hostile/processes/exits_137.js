// Leaves with the status that shells show for SIGKILL.
'use strict';

process.exit(137);
