using ScaleOut.Validation;

namespace ScaleOut.Specs.Reading;

/// <summary>What is noted while one spec is read.</summary>
public sealed class ReadingContext
{
    private readonly List<ValidationError> _errors = [];
    private readonly HashSet<string> _invalid = new(StringComparer.Ordinal);
    private readonly HashSet<string> _given = new(StringComparer.Ordinal);

    public IReadOnlyList<ValidationError> Errors => _errors;

    public void Add(string path, string message, bool beyondSchema = false)
    {
        _errors.Add(new ValidationError(path, message, beyondSchema));
        _invalid.Add(path);
    }

    /// <summary>What was read, unless something is wrong with it.</summary>
    public ReadResult<T> Result<T>(T? value) where T : class => new(_errors.Count == 0 ? value : null, _errors);

    public void MarkGiven(string path) => _given.Add(path);

    /// <summary>Whether the spec itself gives a value here.</summary>
    public bool IsGiven(string path) => _given.Contains(path);

    /// <summary>Whether the value here, or one that holds it, is invalid, so that nothing can be said about it.</summary>
    public bool IsInvalid(string path)
    {
        for (var end = path.Length; end > 0; end = path.LastIndexOfAny(['.', '['], end - 1))
        {
            if (_invalid.Contains(path[..end]))
                return true;
        }

        return _invalid.Contains("");
    }
}
