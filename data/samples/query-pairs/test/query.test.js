'use strict'

const assert = require('node:assert')
const { Query, format } = require('..')

describe('Query', () => {
  let query

  beforeEach(() => {
    query = new Query('a=1&b=2&a=3')
  })

  describe('#get()', () => {
    it('gives the first value', () => {
      assert.strictEqual(query.get('a'), '1')
    })

    it('gives nothing for a key that is not there', () => {
      assert.strictEqual(query.get('c'), undefined)
    })
  })

  it('gives all values', () => {
    assert.deepStrictEqual(query.getAll('a'), ['1', '3'])
  })

  it('replaces all values of a key', () => {
    query.set('a', 7)
    assert.strictEqual(query.size, 2)
    assert.strictEqual(query.toString(), 'b=2&a=7')
  })

  it('removes', async () => {
    query.remove('a').remove('b')
    assert.strictEqual(query.size, 0)
  })
})

describe('format', () => {
  it('escapes keys and values', () => {
    assert.strictEqual(format([['a b', 'c&d']]), 'a+b=c%26d')
  })

  it('comes back as it was read', () => {
    const text = 'a=1&b&c=x+y'
    assert.strictEqual(new Query(text).toString(), text)
  })
})
