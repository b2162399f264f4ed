'use strict'

const { parse } = require('./parse')
const format = require('./format')

// A query whose values can be looked up and changed.
class Query {
  constructor(text = '') {
    this.pairs = parse(text)
  }

  get(key) {
    const pair = this.pairs.find(([own]) => own === key)
    return pair && pair[1]
  }

  getAll(key) {
    return this.pairs.filter(([own]) => own === key).map(([, value]) => value)
  }

  set(key, value) {
    this.remove(key)
    this.pairs.push([key, String(value)])
    return this
  }

  remove(key) {
    this.pairs = this.pairs.filter(([own]) => own !== key)
    return this
  }

  get size() {
    return this.pairs.length
  }

  toString() {
    return format(this.pairs)
  }
}

module.exports = Query
