using NUnit.Framework;

namespace Parking.Receipts.Tests
{
    [TestFixture]
    public class MeterTests
    {
        private Meter meter;

        [SetUp]
        public void SetUp()
        {
            meter = new Meter(new Tariff(2m, 10m));
        }

        [Test]
        public void InsertAddsUp()
        {
            meter.Insert(0.5m);
            meter.Insert(2m);
            Assert.That(meter.Paid, Is.EqualTo(2.5m));
        }

        [TestCase(0)]
        [TestCase(-1)]
        public void InsertRefuses(int coin)
        {
            Assert.Throws<ArgumentException>(() => meter.Insert(coin));
        }

        [Test]
        public void CancelGivesEverythingBack()
        {
            meter.Insert(2m);
            Assert.That(meter.Cancel(), Is.EqualTo(2m));
            Assert.That(meter.Paid, Is.Zero);
        }

        [TestFixture]
        public class Tickets
        {
            [Test]
            public void PrintTicketNumbersThem()
            {
                var meter = Filled(4m);
                Assert.That(meter.PrintTicket(TimeSpan.FromHours(1)), Is.EqualTo("001 1:00"));
                Assert.That(meter.PrintTicket(TimeSpan.FromMinutes(5)), Is.EqualTo("002 0:05"));
            }

            [Test]
            public void NoneIsPrintedForTooLittle()
            {
                var ticket = Filled(1m).PrintTicket(TimeSpan.FromHours(1));
                Assert.That(ticket, Is.Null);
            }

            private static Meter Filled(decimal coin)
            {
                var meter = new Meter(new Tariff(2m, 10m));
                meter.Insert(coin);
                return meter;
            }
        }
    }
}
