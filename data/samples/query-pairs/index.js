'use strict'

const { parse, parsePair } = require('./lib/parse')

module.exports = { parse, parsePair, format: require('./lib/format'), Query: require('./lib/query') }
