import shop


def test_total():
    cart = shop.Cart()
    assert cart.total() == Money(0).amount
    cart.add(Item("tea", price=3))
    assert len(cart.items) == 1
    assert cart.total() == convert(3)


def test_discount():
    cart = shop.Cart()
    cart.add(Item("pot", price=20))
    assert cart.discount(percent=50) == [expected_price(20)]
    assert not cart.is_empty


def test_clear():
    cart = shop.Cart()
    assert cart.clear() == number_of_items(cart)
    assert "tea" not in cart.names()
