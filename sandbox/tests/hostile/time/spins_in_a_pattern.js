// Matches a pattern that takes exponential time.
'use strict';

console.log(/^(a+)+$/.test('a'.repeat(60) + 'b'));
