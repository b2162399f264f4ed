import { Board } from '../src/board'
import showScore, { compareScores } from '../src/score'

describe('Board', () => {
  const filled = () => {
    const board = new Board(2)
    board.submit('ada', 30)
    board.submit('bob', 20)
    return board
  }

  test('submit tells the place', () => {
    expect(filled().submit('cyd', 25)).toBe(2)
  })

  test('submit leaves out what is not among the best', () => {
    expect(filled().submit('cyd', 5)).toBeUndefined()
  })

  test.each([NaN, Infinity])('submit refuses %p', (points) => {
    expect(() => new Board().submit('ada', points)).toThrow(RangeError)
  })

  test('bestOf a player', () => {
    const board = filled()
    board.submit('bob', 40)
    expect(board.bestOf('bob')).toBe(40)
    expect(board.bestOf('eve')).toBeUndefined()
  })

  test('the top is shown as it is wanted', () => {
    expect(filled().top(1, (score) => score.player)).toEqual(['ada'])
  })
})

describe('scores', () => {
  it.each`
    a    | b    | sign
    ${1} | ${2} | ${1}
    ${2} | ${1} | ${-1}
  `('compareScores of $a and $b', ({ a, b, sign }) => {
    const score = (points: number) => ({ player: 'ada', points })
    expect(Math.sign(compareScores(score(a), score(b)))).toBe(sign)
  })

  it('showScore fills with dots', () => {
    expect(showScore({ player: 'ada', points: 7 }, 5)).toBe('ada..   7')
  })

  it.skip('showScore of long names', () => {})
})
