// Calls itself without end.
'use strict';

const deeper = (n) => deeper(n + 1) + 1;
try {
  deeper(0);
} catch (error) {
  console.log(error.name);
}
