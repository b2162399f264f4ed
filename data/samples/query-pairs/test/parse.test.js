'use strict'

const assert = require('node:assert')
const { parse, parsePair } = require('..')
const { unescapeText } = require('../lib/parse')

describe('parse', () => {
  it('reads pairs in their order', () => {
    assert.deepStrictEqual(parse('b=2&a=1'), [['b', '2'], ['a', '1']])
  })

  it('passes over a question mark', () => {
    assert.deepStrictEqual(parse('?a=1'), [['a', '1']])
  })

  describe('with another separator', () => {
    it('does not part at the usual one', function () {
      const pairs = parse('a=1&2;b=3', ';')
      assert.strictEqual(pairs.length, 2)
    })
  })

  it('does nothing yet')
})

describe('parsePair', function () {
  it('gives a key without a value an empty one', function () {
    assert.deepStrictEqual(parsePair('key'), ['key', ''])
  })

  for (const sign of ['+', '%20']) {
    it(`takes ${sign} for a space`, () => {
      assert.strictEqual(unescapeText(`a${sign}b`), 'a b')
    })
  }
})
