namespace ScaleOut.Validation;

/// <summary>An error of what a user gave.</summary>
/// <param name="Field">The option or the field that it is about; empty for none.</param>
/// <param name="Message">The problem, without the name of the field.</param>
public sealed record InputError(string Field, string Message)
{
    /// <summary>The error in one line, which says what and where.</summary>
    public string Line { get; init; } = Field.Length == 0 ? Message : $"{Field}: {Message}";

    public static implicit operator InputError(string line) => new("", line);

    public static implicit operator InputError(ValidationError error) => new(error.Path, error.Message);

    /// <summary>An error whose message says itself what it is about.</summary>
    public static InputError Of(string field, string line) => new(field, line) { Line = line };

    public override string ToString() => Line;
}

/// <summary>Something that the user gave cannot be used.</summary>
public sealed class InputException(params IReadOnlyList<InputError> errors) : Exception(string.Join(Environment.NewLine, errors))
{
    /// <param name="field">The option or the field that the error is about.</param>
    public InputException(string field, string message)
        : this(new InputError(field, message))
    {
    }

    public IReadOnlyList<InputError> Errors { get; } = errors;
}
