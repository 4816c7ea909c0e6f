namespace ScaleOut.Validation;

/// <summary>Something that the user gave cannot be used. Every error is one line that says what and where.</summary>
public sealed class InputException : Exception
{
    public InputException(string error)
        : this([error])
    {
    }

    public InputException(IReadOnlyList<string> errors)
        : base(string.Join(Environment.NewLine, errors)) => Errors = errors;

    public IReadOnlyList<string> Errors { get; }
}
