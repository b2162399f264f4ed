'use strict'

// Writes pairs as `a=1&b=2`; a key without a value stands alone.
module.exports = function format(pairs, separator = '&') {
  const written = pairs.map(([key, value]) => (value === '' ? escapeText(key) : `${escapeText(key)}=${escapeText(value)}`))
  return written.join(separator)
}

function escapeText(text) {
  return encodeURIComponent(text).replace(/%20/g, '+')
}
