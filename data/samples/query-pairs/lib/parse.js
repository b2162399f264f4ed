'use strict'

// Reads `a=1&b=2` as pairs, in their order.
function parse(text, separator = '&') {
  return text
    .replace(/^\?/, '')
    .split(separator)
    .filter((part) => part !== '')
    .map(parsePair)
}

function parsePair(part) {
  const at = part.indexOf('=')
  return at < 0 ? [unescapeText(part), ''] : [unescapeText(part.slice(0, at)), unescapeText(part.slice(at + 1))]
}

const unescapeText = (text) => decodeURIComponent(text.replace(/\+/g, ' '))

exports.parse = parse
exports.parsePair = parsePair
exports.unescapeText = unescapeText
