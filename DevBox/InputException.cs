namespace ScaleOut.DevBox;

/// <summary>Something that the user gave cannot be used. Every fault is one line that says what and where.</summary>
internal sealed class InputException : Exception
{
    public InputException(string fault)
        : this([fault])
    {
    }

    public InputException(IReadOnlyList<string> faults)
        : base(string.Join(Environment.NewLine, faults)) => Faults = faults;

    public IReadOnlyList<string> Faults { get; }
}
