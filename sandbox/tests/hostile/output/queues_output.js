// Hands output to the event loop faster than anybody could take it, and never lets it work.
'use strict';

for (let line = 0; line < 20000; line++) console.log('line', line);
