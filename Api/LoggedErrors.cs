namespace ScaleOut.Api;

/// <summary>
/// The errors of jobs that were logged last, so that a page that reads the list every few seconds does not log them again. Thread-safe.
/// </summary>
internal sealed class LoggedErrors
{
    /// <summary>The oldest of more errors are forgotten, and logged again when they occur again.</summary>
    public const int MaxErrors = 1_000;

    private readonly Lock _gate = new();
    private readonly HashSet<(string Id, string Error)> _known = [];
    private readonly Queue<(string Id, string Error)> _inOrder = new();

    /// <summary>Adds an error. False if it is known.</summary>
    public bool IsNew(string id, string error)
    {
        lock (_gate)
        {
            if (!_known.Add((id, error)))
                return false;
            _inOrder.Enqueue((id, error));
            if (_inOrder.Count > MaxErrors)
                _known.Remove(_inOrder.Dequeue());
            return true;
        }
    }
}
