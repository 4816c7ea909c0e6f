// Serves Azurite for as long as the process lives that holds the other end of its standard input, however that ends.
process.stdin.on('end', () => process.exit(0)).on('error', () => process.exit(0)).resume();
require('azurite/dist/src/azurite.js');
