import unittest

from money import Amount, CurrencyMismatch


class AmountTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.dollar = Amount(100, "USD")

    def setUp(self):
        self.price = Amount(1995)
        self.fee = Amount(50)

    def tearDown(self):
        self.price = None

    def test_from_text(self):
        self.assertEqual(Amount.from_text("19.95 EUR"), self.price)
        self.assertEqual(Amount.from_text("-3.5 GBP").cents, -350)

    def test_plus(self):
        self.assertEqual(self.price.plus(self.fee), Amount(2045))

    def test_minus(self):
        change = self.fee.minus(self.price)
        self.assertEqual(change.cents, -1945)

    def test_times(self):
        self.assertEqual(self.fee.times(3), Amount(150))

    def test_symbol(self):
        self.assertEqual(self.dollar.symbol, "$")
        self.assertEqual(Amount(1, "CHF").symbol, "CHF")

    def test_is_currency(self):
        self.assertTrue(Amount.is_currency("EUR"))
        self.assertFalse(Amount.is_currency("euro"))

    def test_display(self):
        self.assertEqual(self.price.display(), "€19.95")
        self.assertEqual(Amount(-5, "USD").display(), "-$0.05")

    def test_currencies_do_not_mix(self):
        with self.assertRaises(CurrencyMismatch):
            self.price.plus(self.dollar)

    @unittest.skip("exchange rates are not decided")
    def test_exchange(self):
        pass
