namespace ScaleOut.DevBox.Commands;

/// <summary>
/// <c>completion</c>: a script that lets a shell complete commands, options and their values. It asks this program itself, by the
/// directive <c>[suggest]</c> of System.CommandLine, so that it knows what the installed version knows.
/// </summary>
internal static class CompletionCommand
{
    // Without a dash only names are suggested, and files where there are none, as shells do for other programs.
    private static readonly Dictionary<string, string> Scripts = new()
    {
        ["bash"] =
            """
            _devbox() {
                local line="devbox${COMP_LINE:${#COMP_WORDS[0]}:COMP_POINT - ${#COMP_WORDS[0]}}" IFS=$'\n' words
                words="$("$1" "[suggest:${#line}]" "$line" 2>/dev/null)"
                [[ $2 == -* ]] || words="$(grep -v '^[-/]' <<< "$words")"
                COMPREPLY=($(compgen -W "$words" -- "$2"))
            }
            complete -o default -F _devbox devbox
            """,
        ["zsh"] =
            """
            #compdef devbox
            _devbox() {
                local line="devbox ${(j: :)words[2,CURRENT]}"
                local -a found
                found=(${(f)"$($words[1] "[suggest:${#line}]" "$line" 2>/dev/null)"})
                [[ $PREFIX == -* ]] || found=(${found:#[-\/]*})
                (( $#found )) && compadd -a found || _files
            }
            (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
            compdef _devbox devbox
            """,
        ["pwsh"] =
            """
            Register-ArgumentCompleter -Native -CommandName devbox -ScriptBlock {
                param($word, $ast, $position)
                $line = "$ast".PadRight($position - $ast.Extent.StartOffset)
                $line = 'devbox' + $line.Substring($ast.CommandElements[0].Extent.Text.Length)
                & $ast.CommandElements[0].Extent.Text "[suggest:$($line.Length)]" $line 2>$null |
                    Where-Object { $_ -like "$word*" -and ($word -like '-*' -or $_ -notmatch '^[-/]') } |
                    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
            }
            """,
    };

    public static Command Create()
    {
        var shell = new Argument<string?>("shell")
        {
            Description = $"The shell: {string.Join(", ", Scripts.Keys)}.", Arity = ArgumentArity.ExactlyOne,
        };
        shell.CompletionSources.Add([.. Scripts.Keys]);
        return new CommandWithExamples(
            "completion",
            "Prints a script that lets a shell complete commands, options and their values.",
            (input, _) => RunAsync(input, shell),
            ("completion bash", "for each bash from now on, append it to ~/.bashrc; that of zsh to ~/.zshrc"),
            ("completion pwsh", "for PowerShell, append it to the file that $PROFILE names"))
        {
            shell,
        };
    }

    private static async Task<int> RunAsync(CommandInput input, Argument<string?> shell)
    {
        var errors = input.Errors();
        if (input.Value(shell) is { } named && !Scripts.ContainsKey(named))
            errors.Add([$"'{named}' is none of the shells {string.Join(", ", Scripts.Keys)}."]);
        errors.ThrowIfAny();
        await Console.Out.WriteLineAsync(Scripts[input.Value(shell)!]);
        return ExitCode.Complete;
    }
}
