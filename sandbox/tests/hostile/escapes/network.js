// Reaches for the network in every way that Node knows.
'use strict';

const say = (name) => (error) => console.log(`${name}: ${error ? error.code : 'ok'}`);
require('net').createServer().on('error', say('listen')).listen(0, '127.0.0.1', function () {
  this.close();
  say('listen')();
});
const udp = require('dgram');
try {
  const socket = udp.createSocket('udp4').on('error', say('udp'));
  socket.bind(0, '127.0.0.1', () => { socket.close(); say('udp')(); });
} catch (error) {
  say('udp')(error);
}
