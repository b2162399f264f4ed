from .money import Money


class Cart:
    def __init__(self):
        self.items = []

    def total(self):
        prices = [item.price for item in self.items]
        return sum(prices)

    def discount(self, percent):
        if percent > 100:
            raise ValueError(percent)
        share = percent / 100
        lowered = []
        for item in self.items:
            lowered.append(item.price * share)
        return lowered


    def clear(self):
        count = len(self.items)
        return count
