import CValisePostgres
import ValiseEncoding
import ValiseFailures

/// Several statements in one round trip: a pipeline of libpq, left again at the end of each batch.
extension PostgresSession {
    /// What the server is asked for, each with answers of its own, by the number of the statement.
    private enum Step {
        case prepare(Int)
        case execute(Int)

        var statement: Int {
            switch self {
            case .prepare(let index), .execute(let index): index
            }
        }
    }

    private struct Planned {
        let sql: String
        let key: PreparedKey
        /// nil for a statement that is not prepared.
        let name: String?
        let values: ParameterEncoder
    }

    private struct Plan {
        var steps: [Step] = []
        var statements: [Planned] = []
    }

    /// What came back so far.
    private struct Answers {
        var rows: [PostgresRows] = []
        var error: PostgresError?
        /// The step whose answers come next.
        var step = 0
        var isComplete = false
    }

    /// Runs a batch. Outside of a transaction it is one: all of it counts, or nothing.
    ///
    /// - Parameters:
    ///   - batch: the statements.
    ///   - deadline: when the server is asked to stop.
    ///   - commits: whether the batch makes something last; nil where its place says so.
    /// - Throws: ``PostgresError``
    mutating func run(
        _ batch: [PostgresStatement], until deadline: ContinuousClock.Instant, commits: Bool? = nil
    ) throws(PostgresError) -> [PostgresRows] {
        _ = unsafe try opened()
        if batch.isEmpty { return [] }
        let before = pendingBegin.map { [PostgresStatement($0)] } ?? []
        let plan = try plan(before + batch)
        pendingBegin = nil
        let answers = try exchange(plan, until: deadline, commits: commits ?? !isInTransaction)
        if commits == nil { try checkTransaction() }
        guard let error = answers.error else { return Array(answers.rows.dropFirst(before.count)) }
        if isInTransaction, transactionFailure == nil { transactionFailure = error }
        throw error.ofStatement(error.statement.flatMap { $0 < before.count ? nil : $0 - before.count })
    }

    private mutating func plan(_ batch: [PostgresStatement]) throws(PostgresError) -> Plan {
        var plan = Plan()
        var names: [PreparedKey: String] = [:]
        for (index, statement) in batch.enumerated() {
            guard !statement.sql.utf8.contains(0) else {
                throw PostgresError(
                    .general, .invalid, "a statement has a zero byte in it", subject, statement: index)
            }
            let values = try ParameterEncoder(statement.parameters)
            let key = PreparedKey(sql: statement.sql, types: values.types)
            var name = preparedName(key) ?? names[key]
            if name == nil, preparedCount + names.count < Self.mostPrepared {
                name = freshName()
                names[key] = name
                plan.steps.append(.prepare(index))
            }
            plan.steps.append(.execute(index))
            plan.statements.append(Planned(sql: statement.sql, key: key, name: name, values: values))
        }
        return plan
    }

    private mutating func exchange(
        _ plan: Plan, until deadline: ContinuousClock.Instant, commits: Bool
    ) throws(PostgresError) -> Answers {
        let connection = unsafe try opened()
        guard unsafe send(plan, to: connection) else {
            throw unsafe lose(.lost(words(connection), subject: subject))
        }
        var answers = Answers()
        var wait = PostgresWait(deadline, settings)
        do throws(PostgresError) {
            while true {
                unsafe try take(from: connection, plan, &answers)
                if answers.isComplete { break }
                unsafe try wait.turn(connection, subject: subject)
            }
            try wait.finish(subject: subject)
            guard unsafe valise_postgres_leave_pipeline(connection) else {
                throw unsafe PostgresError.lost(words(connection), subject: subject)
            }
        } catch {
            // What the server said before it went says more.
            let reason = unsafe answers.error ?? lastWords(connection) ?? error
            throw lose(reason.endingConnection(mayHaveTakenEffect: commits && !answers.isComplete))
        }
        if wait.hasCancelled, let error = answers.error, error.kind == .timeout {
            answers.error = error.stoppedByUs
        }
        return answers
    }

    /// A statement that ends the transaction that it is in would have the rest of it committed one by one.
    private mutating func checkTransaction() throws(PostgresError) {
        guard isInTransaction, isIdle else { return }
        throw lose(
            PostgresError(
                .general, .invalid, "a statement ended the transaction of the database that it was in",
                subject,
                mayHaveTakenEffect: true))
    }

    /// Gives all of it to libpq, which keeps in memory what the socket does not take.
    private func send(_ plan: Plan, to connection: OpaquePointer) -> Bool {
        guard unsafe valise_postgres_enter_pipeline(connection) else { return false }
        for step in plan.steps {
            let statement = plan.statements[step.statement]
            let isSent = unsafe statement.values.withValues { values in
                switch (step, statement.name) {
                case (.prepare, let name):
                    unsafe valise_postgres_prepare(connection, name, statement.sql, values)
                case (.execute, let name?): unsafe valise_postgres_execute_prepared(connection, name, values)
                case (.execute, nil): unsafe valise_postgres_execute(connection, statement.sql, values)
                }
            }
            guard isSent else { return false }
        }
        return unsafe valise_postgres_synchronize(connection)
    }

    /// Takes the answers that are here.
    private mutating func take(
        from connection: OpaquePointer, _ plan: Plan, _ answers: inout Answers
    ) throws(PostgresError) {
        while !answers.isComplete, unsafe !valise_postgres_is_busy(connection) {
            guard let result = unsafe valise_postgres_next(connection) else {
                // The end of the answers to one step. What fails when the batch is committed has an end, too.
                answers.step += 1
                guard answers.step <= plan.steps.count + 1 else { throw unexpectedAnswer }
                continue
            }
            let answer = unsafe PostgresAnswer(result)
            let step = plan.steps.indices.contains(answers.step) ? plan.steps[answers.step] : nil
            switch answer.outcome {
            case VALISE_POSTGRES_SYNCHRONIZED: answers.isComplete = true
            case VALISE_POSTGRES_SKIPPED: break
            case VALISE_POSTGRES_DONE, VALISE_POSTGRES_ROWS:
                guard let step else { throw unexpectedAnswer }
                note(answer, plan, step, &answers)
            case VALISE_POSTGRES_ERROR:
                let error = answer.error(step?.statement, subject: subject)
                // Without a state it is libpq that says that the connection ended.
                guard unsafe valise_postgres_is_connected(connection) || error.sqlState != nil else {
                    throw unsafe PostgresError.lost(words(connection), subject: subject)
                }
                noteFailure(error, &answers)
            default: throw unexpectedAnswer
            }
        }
    }

    private mutating func note(
        _ answer: borrowing PostgresAnswer, _ plan: Plan, _ step: Step, _ answers: inout Answers
    ) {
        let statement = plan.statements[step.statement]
        switch step {
        case .prepare: if let name = statement.name { notePrepared(statement.key, as: name) }
        case .execute(let index):
            // What cannot be read does not end the connection: the others are answered, too.
            do throws(PostgresError) {
                answers.rows.append(try answer.rows())
            } catch {
                answers.error = answers.error ?? error.ofStatement(index)
            }
        }
    }

    private mutating func noteFailure(_ error: PostgresError, _ answers: inout Answers) {
        answers.error = answers.error ?? error
        // Tables changed, or somebody removed what was prepared: the next time it is prepared anew.
        if let state = error.sqlState, ["0A000", "26000"].contains(state) { forgetPrepared() }
    }

    private var unexpectedAnswer: PostgresError {
        .lost("an answer of another kind than expected", subject: subject)
    }

    /// What the server said when it ended the connection.
    private func lastWords(_ connection: OpaquePointer) -> PostgresError? {
        _ = unsafe valise_postgres_receive(connection)
        for _ in 0..<100 {
            guard unsafe !valise_postgres_is_busy(connection) else { return nil }
            guard let result = unsafe valise_postgres_next(connection) else { continue }
            let answer = unsafe PostgresAnswer(result)
            guard answer.outcome == VALISE_POSTGRES_ERROR else { continue }
            let error = answer.error(nil, subject: subject)
            if error.sqlState != nil { return error }
        }
        return nil
    }

    // MARK: Scripts

    /// Runs a script of several statements without values. Its rows are not looked at.
    ///
    /// - Parameters:
    ///   - script: never text from outside.
    ///   - deadline: when the server is asked to stop.
    /// - Throws: ``PostgresError``
    mutating func runScript(
        _ script: String, until deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        guard !script.utf8.contains(0) else {
            throw PostgresError(.general, .invalid, "a script has a zero byte in it", subject)
        }
        if pendingBegin != nil {
            _ = try run([PostgresStatement("SELECT 1")], until: deadline)
        }
        let connection = unsafe try opened()
        guard unsafe valise_postgres_execute_script(connection, script) else {
            throw unsafe lose(.lost(words(connection), subject: subject))
        }
        var failure: PostgresError?
        var isComplete = false
        do throws(PostgresError) {
            var wait = PostgresWait(deadline, settings)
            while true {
                while !isComplete, unsafe !valise_postgres_is_busy(connection) {
                    isComplete = unsafe try takeOfScript(from: connection, &failure)
                }
                if isComplete { break }
                unsafe try wait.turn(connection, subject: subject)
            }
            try wait.finish(subject: subject)
            if wait.hasCancelled, let error = failure, error.kind == .timeout { failure = error.stoppedByUs }
        } catch {
            let reason = unsafe failure ?? lastWords(connection) ?? error
            throw lose(reason.endingConnection(mayHaveTakenEffect: !isInTransaction && !isComplete))
        }
        try checkTransaction()
        guard let failure else { return }
        if isInTransaction, transactionFailure == nil { transactionFailure = failure }
        throw failure
    }

    /// - Returns: whether that was the last answer.
    private func takeOfScript(
        from connection: OpaquePointer, _ failure: inout PostgresError?
    ) throws(PostgresError) -> Bool {
        guard let result = unsafe valise_postgres_next(connection) else { return true }
        let answer = unsafe PostgresAnswer(result)
        switch answer.outcome {
        case VALISE_POSTGRES_DONE, VALISE_POSTGRES_ROWS: break
        case VALISE_POSTGRES_ERROR:
            let error = answer.error(nil, subject: subject)
            guard unsafe valise_postgres_is_connected(connection) || error.sqlState != nil else {
                throw unsafe PostgresError.lost(words(connection), subject: subject)
            }
            failure = failure ?? error
        default: throw unexpectedAnswer
        }
        return false
    }
}

extension PostgresError {
    /// The same failure, with the number of the statement.
    func ofStatement(_ number: Int?) -> PostgresError {
        PostgresError(
            kind, code, message, subject, sqlState: sqlState, constraint: constraint, statement: number,
            mayHaveTakenEffect: mayHaveTakenEffect, cause: cause, remedy: remedy)
    }

    /// The same failure, where it was our time that was over.
    var stoppedByUs: PostgresError {
        PostgresError(
            kind, code, "a statement of the database took too long and was stopped", subject,
            sqlState: sqlState,
            statement: statement, remedy: remedy)
    }
}
