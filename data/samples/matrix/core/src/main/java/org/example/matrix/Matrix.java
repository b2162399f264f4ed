package org.example.matrix;

import java.util.Arrays;

/** A dense matrix of doubles; every operation returns a new one. */
public class Matrix {
    private final int rows;
    private final int columns;
    private final double[] cells;

    public Matrix(int rows, int columns) {
        this.rows = rows;
        this.columns = columns;
        this.cells = new double[rows * columns];
    }

    public Matrix(double[][] values) {
        this(values.length, values[0].length);
        for (int row = 0; row < rows; row++) {
            System.arraycopy(values[row], 0, cells, row * columns, columns);
        }
    }

    public static Matrix identity(int size) {
        Matrix result = new Matrix(size, size);
        for (int i = 0; i < size; i++) {
            result.cells[i * size + i] = 1;
        }
        return result;
    }

    public double get(int row, int column) {
        return cells[row * columns + column];
    }

    public Matrix add(Matrix other) {
        requireSameShape(other);
        Matrix result = new Matrix(rows, columns);
        for (int i = 0; i < cells.length; i++) {
            result.cells[i] = cells[i] + other.cells[i];
        }
        return result;
    }

    public Matrix scale(double factor) {
        Matrix result = new Matrix(rows, columns);
        for (int i = 0; i < cells.length; i++) {
            result.cells[i] = cells[i] * factor;
        }
        return result;
    }

    public Matrix multiply(Matrix other) {
        if (columns != other.rows) {
            throw new IllegalArgumentException(columns + " columns against " + other.rows + " rows");
        }
        Matrix result = new Matrix(rows, other.columns);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < other.columns; column++) {
                double sum = 0;
                for (int k = 0; k < columns; k++) {
                    sum += get(row, k) * other.get(k, column);
                }
                result.cells[row * other.columns + column] = sum;
            }
        }
        return result;
    }

    public Matrix transpose() {
        Matrix result = new Matrix(columns, rows);
        for (int row = 0; row < rows; row++) {
            for (int column = 0; column < columns; column++) {
                result.cells[column * rows + row] = get(row, column);
            }
        }
        return result;
    }

    public double trace() {
        double sum = 0;
        for (int i = 0; i < Math.min(rows, columns); i++) {
            sum += get(i, i);
        }
        return sum;
    }

    private void requireSameShape(Matrix other) {
        if (rows != other.rows || columns != other.columns) {
            throw new IllegalArgumentException("shapes differ");
        }
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Matrix other
                && rows == other.rows
                && columns == other.columns
                && Arrays.equals(cells, other.cells);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(cells) * 31 + columns;
    }
}
