using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>What is noted while one plan is read.</summary>
public sealed class ReadingContext
{
    private readonly List<SpecFault> _faults = [];
    private readonly HashSet<string> _faulty = new(StringComparer.Ordinal);
    private readonly HashSet<string> _given = new(StringComparer.Ordinal);

    public IReadOnlyList<SpecFault> Faults => _faults;

    public void Add(string path, string message, bool beyondSchema = false)
    {
        _faults.Add(new SpecFault(path, message, beyondSchema));
        _faulty.Add(path);
    }

    public void MarkGiven(string path) => _given.Add(path);

    /// <summary>Whether the plan itself gives a value here.</summary>
    public bool IsGiven(string path) => _given.Contains(path);

    /// <summary>Whether the value here, or one that holds it, is faulty, so that nothing can be said about it.</summary>
    public bool IsFaulty(string path)
    {
        for (var end = path.Length; end > 0; end = path.LastIndexOfAny(['.', '['], end - 1))
        {
            if (_faulty.Contains(path[..end]))
                return true;
        }

        return _faulty.Contains("");
    }
}
