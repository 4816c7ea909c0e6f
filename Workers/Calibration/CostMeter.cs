namespace ScaleOut.Workers.Calibration;

/// <summary>
/// Counts what a calibration is charged, and stops it before that is more than the user allows. For several threads at once.
/// </summary>
/// <param name="most">RU.</param>
public sealed class CostMeter(double most)
{
    private readonly Lock _lock = new();
    private double _spent;
    private double _expected;
    private double _worst = 1;

    /// <summary>RU that were charged.</summary>
    public double Spent
    {
        get
        {
            lock (_lock)
                return _spent;
        }
    }

    /// <summary>Whether an operation may begin; if so, its charge must be given to <see cref="Settle"/> whatever comes of it.</summary>
    /// <param name="expected">RU that it may cost at most.</param>
    public bool TryBegin(double expected)
    {
        lock (_lock)
        {
            if (_spent + ((_expected + expected) * _worst) > most)
                return false;
            _expected += expected;
            return true;
        }
    }

    /// <summary>Ends an operation.</summary>
    /// <param name="expected">As it was begun with.</param>
    /// <param name="charged">RU; 0 where there was no response.</param>
    public void Settle(double expected, double charged)
    {
        lock (_lock)
        {
            _expected -= expected;
            _spent += charged;
            // An account may charge more than the documentation says: what follows is expected to do so, too.
            if (expected > 0)
                _worst = Math.Max(_worst, charged / expected);
        }
    }
}
