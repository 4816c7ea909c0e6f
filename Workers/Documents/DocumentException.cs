namespace ScaleOut.Workers.Documents;

/// <summary>A run's documents cannot be made, for reasons that its plan or its CSV file can mend.</summary>
public sealed class DocumentException : Exception
{
    public DocumentException()
        : this([])
    {
    }

    public DocumentException(string message)
        : this([message])
    {
    }

    public DocumentException(string message, Exception innerException)
        : this([message], innerException)
    {
    }

    /// <param name="faults">Each with the field's path.</param>
    /// <param name="innerException">What led to it.</param>
    public DocumentException(IReadOnlyList<string> faults, Exception? innerException = null)
        : base(string.Join("; ", faults), innerException) => Faults = faults;

    /// <summary>Everything that is wrong, each with the field's path.</summary>
    public IReadOnlyList<string> Faults { get; }
}
