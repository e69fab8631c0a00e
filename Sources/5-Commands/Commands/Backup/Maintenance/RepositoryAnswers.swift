import ArgumentParser
import Valise

extension Answers {
    /// Of a command on a repository.
    init(_ repository: RepositoryOptions, yes: Bool = false) {
        self.init(
            canAsk: repository.canAsk, isUnaskable: repository.asking.noInput, isYes: yes)
    }
}
