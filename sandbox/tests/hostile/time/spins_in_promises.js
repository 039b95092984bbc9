// Never lets go of the event loop: each promise makes the next.
'use strict';

setTimeout(() => console.log('a timer came through'), 0);
const next = () => Promise.resolve().then(next);
next();
